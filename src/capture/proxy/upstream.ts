// Where a request goes: one port serves several providers, told apart by the path and by what their clients send.
import { headerOf, type RawHeaders } from "./headers.ts"

export const PROVIDERS = ["anthropic", "openai", "google"] as const
export type Provider = (typeof PROVIDERS)[number]

/** The address that clients are usually given, without a slash at its end. OpenAI's has a version in it. */
export const PROVIDER_URLS: Readonly<Record<Provider, string>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com",
}

/** Where Codex goes if its user has signed in with ChatGPT. */
const CHATGPT_URL = "https://chatgpt.com/backend-api/codex"

export interface Target {
  readonly url: URL
  /** With the query. */
  readonly path: string
}

/** Returns undefined if nobody answers such a path. */
export type Route = (path: string, headers: RawHeaders) => Target | undefined

/** `all`: where every request goes. Otherwise each provider has its own address. */
export interface RouteOptions {
  readonly all?: string | undefined
  readonly providers?: Readonly<Partial<Record<Provider, string>>> | undefined
}

export function createRoute({ all, providers = {} }: RouteOptions): Route {
  if (all !== undefined) return (path) => targetAt(all, path)
  const urls = { ...PROVIDER_URLS, ...providers }
  return (path, headers) => {
    const provider = providerOf(path, headers)
    if (provider === undefined) return undefined
    if (provider !== "openai") return targetAt(urls[provider], path)
    const rest = path.replace(/^\/v1(?=[/?]|$)/, "")
    const isSubscription = headerOf(headers, "chatgpt-account-id") !== undefined
    return targetAt(isSubscription && providers.openai === undefined ? CHATGPT_URL : urls.openai, rest)
  }
}

/** The address may be from a client's settings, and may be anything. */
function targetAt(base: string, path: string): Target | undefined {
  if (!URL.canParse(base)) return undefined
  const url = new URL(base)
  if (!/^https?:$/.test(url.protocol)) return undefined
  const before = url.pathname.replace(/\/+$/, "")
  return { url, path: before + path }
}

function providerOf(path: string, headers: RawHeaders): Provider | undefined {
  const [way = ""] = path.split("?")
  if (/^\/v1\/(?:messages|complete|skills|files\/file_)/.test(way)) return "anthropic"
  if (/^\/(?:upload\/)?v1(?:beta|alpha)\d*\//.test(way) || /:\w*[gG]enerateContent$/.test(way))
    return "google"
  if (/^\/v1\/(?:responses|chat\/|embeddings|conversations|completions|moderations|audio\/|images)/.test(way))
    return "openai"
  if (headerOf(headers, "anthropic-version") ?? headerOf(headers, "x-claude-code-session-id"))
    return "anthropic"
  if (/^claude-(?:cli|code)\//.test(headerOf(headers, "user-agent") ?? "")) return "anthropic"
  if (headerOf(headers, "x-goog-api-key") !== undefined) return "google"
  return /^\/v1(?:\/|$)/.test(way) ? "openai" : undefined
}
