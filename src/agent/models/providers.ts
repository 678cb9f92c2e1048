// The providers of models as data: the variables with their keys and addresses, and how to open each. A provider's code
// is loaded only when it is opened.

import { IncipitError } from "../../base/error.ts"
import { nearest } from "../../base/nearest.ts"
import { OFFLINE } from "../../record/prices/offline-calls.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { SdkLanguageModel } from "./model.ts"

export type Env = Readonly<Record<string, string | undefined>>

/** Creates the model of that name; its requests go through `fetch`. */
type Connect = (name: string, fetch: typeof globalThis.fetch) => SdkLanguageModel

export interface Provider {
  readonly name: string
  /** Other names accepted before the slash. */
  readonly aliases?: readonly string[]
  /** Sets of variables; at least one set must be complete. */
  readonly keys: readonly (readonly string[])[]
  /** The variable with a different address, and how to read its value. */
  readonly url?: { readonly variable: string; readonly read: (value: string) => string }
  /** The default address, if the provider has a fixed one. */
  readonly home?: string
  /** The model to use if none was chosen. */
  readonly model?: string
  /** Call ids that it accepts, whichever model made them; any if undefined. */
  readonly callIds?: RegExp
  readonly open: (env: Env, url: string | undefined) => Promise<Connect>
}

/** As the providers document it. */
const CALL_IDS = /^[A-Za-z0-9_-]{1,64}$/

/** In the order in which they are tried if no model is configured. */
const PROVIDERS: readonly Provider[] = [
  {
    name: "anthropic",
    keys: [["ANTHROPIC_API_KEY"]],
    url: { variable: "ANTHROPIC_BASE_URL", read: (value) => versioned(value, "v1") },
    home: "https://api.anthropic.com/v1",
    model: "claude-sonnet-5-5",
    callIds: CALL_IDS,
    open: async (env, url) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic")
      return (name, fetch) =>
        createAnthropic({ ...at(url), apiKey: env.ANTHROPIC_API_KEY ?? "", fetch })(name)
    },
  },
  {
    name: "openai",
    keys: [["OPENAI_API_KEY"]],
    url: { variable: "OPENAI_BASE_URL", read: (value) => value },
    home: "https://api.openai.com/v1",
    model: "gpt-5.6-sol",
    callIds: CALL_IDS,
    open: async (env, url) => {
      const { createOpenAI } = await import("@ai-sdk/openai")
      const { defaultSettingsMiddleware, wrapLanguageModel } = await import("ai")
      // With `store`, the SDK sends references: the request would contain neither the text nor the thoughts.
      const settings = { providerOptions: { openai: { store: false } } }
      const middleware = defaultSettingsMiddleware({ settings })
      return (name, fetch) => {
        const provider = createOpenAI({ ...at(url), apiKey: env.OPENAI_API_KEY ?? "", fetch })
        return wrapLanguageModel({ model: provider.responses(name), middleware })
      }
    },
  },
  {
    name: "google",
    keys: [["GOOGLE_GENERATIVE_AI_API_KEY"], ["GEMINI_API_KEY"]],
    url: { variable: "GOOGLE_GEMINI_BASE_URL", read: (value) => versioned(value, "v1beta") },
    home: "https://generativelanguage.googleapis.com/v1beta",
    model: "gemini-3.5-flash",
    callIds: CALL_IDS,
    open: async (env, url) => {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google")
      const apiKey = valueIn(env, "GOOGLE_GENERATIVE_AI_API_KEY") ?? valueIn(env, "GEMINI_API_KEY") ?? ""
      return (name, fetch) => createGoogleGenerativeAI({ ...at(url), apiKey, fetch })(name)
    },
  },
  {
    name: "bedrock",
    aliases: ["amazon-bedrock"],
    keys: [
      ["AWS_REGION", "AWS_BEARER_TOKEN_BEDROCK"],
      ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    ],
    url: { variable: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME", read: (value) => value },
    model: "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
    callIds: CALL_IDS,
    open: async (env, url) => {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock")
      const credentials = {
        // Empty rather than undefined, or the SDK would read the process's own variables.
        apiKey: env.AWS_BEARER_TOKEN_BEDROCK ?? "",
        region: env.AWS_REGION ?? "",
        accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
        secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
        ...(valueIn(env, "AWS_SESSION_TOKEN") && { sessionToken: env.AWS_SESSION_TOKEN ?? "" }),
      }
      return (name, fetch) => createAmazonBedrock({ ...at(url), ...credentials, fetch })(name)
    },
  },
  {
    name: "ollama",
    keys: [[]],
    url: { variable: "OLLAMA_HOST", read: (value) => `${ollamaAddress(value)}/v1` },
    home: "http://127.0.0.1:11434/v1",
    model: "qwen3",
    open: (_env, url) => openCompatible("ollama", url),
  },
]

/** The bundled providers, then the configured ones. */
export function providersOf({ providers = {} }: Config): readonly Provider[] {
  const taken = PROVIDERS.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const own = Object.entries(providers).map(([name, { url, key }]): Provider => {
    if (name === OFFLINE || taken.includes(name) || name.includes("/"))
      throw new IncipitError("bad-configuration", `providers.${name}: a provider cannot have this name`)
    return {
      name,
      keys: key === undefined ? [[]] : [[key]],
      home: url,
      open: (env, address) => openCompatible(name, address, key === undefined ? undefined : env[key]),
    }
  })
  return [...PROVIDERS, ...own]
}

/**
 * The provider of a model, and the model's name there. An id without a provider belongs to the provider of its cache
 * rule.
 */
export function providerFor(
  id: string,
  config: Config,
): { readonly provider: Provider; readonly name: string } {
  const [first = "", ...rest] = (id.includes("/") ? id : `${ruleFor(id).id.split("/")[0]}/${id}`).split("/")
  const name = rest.join("/")
  const known = providersOf(config)
  const provider = known.find((row) => row.name === first || row.aliases?.includes(first))
  if (provider === undefined || name === "") {
    const named = id.includes("/") ? first : ""
    const why = provider === undefined ? noProvider(named, known) : "it names a provider, but no model of it"
    throw new IncipitError("unknown-model", `unknown model "${id}": ${why}`)
  }
  return { provider, name }
}

function noProvider(name: string, known: readonly Provider[]): string {
  const names = known.map((row) => row.name)
  if (name === "") return `it names no provider (there are ${names.join(", ")})`
  const [near] = nearest(name, names)
  const hint = near === undefined ? ` (there are ${names.join(", ")})` : `; did you mean ${near}?`
  return `there is no provider ${name}${hint}`
}

/** The missing variables, in words; undefined if nothing is missing. */
export function missingKey({ keys }: Provider, env: Env): string | undefined {
  const missing = keys.map((names) => names.filter((name) => valueIn(env, name) === undefined))
  if (missing.some((names) => names.length === 0)) return undefined
  return missing.map((names) => names.join(" and ")).join(", or ")
}

/** The provider's address, and whether the user chose it. Returns undefined if the SDK's code decides. */
export function urlOf(
  { url, home }: Provider,
  env: Env,
): { readonly url: string | undefined; readonly isSet: boolean } {
  const value = url && valueIn(env, url.variable)
  if (url === undefined || value === undefined) return { url: home, isSet: false }
  const address = url.read(value.trim().replace(/\/+$/, ""))
  if (!/^https?:/.test(address) || !URL.canParse(address))
    throw new IncipitError("bad-configuration", `${url.variable} is "${value}", which is not a URL`)
  return { url: address, isSet: true }
}

/** An empty variable counts as not set. */
function valueIn(env: Env, name: string): string | undefined {
  return env[name] === "" ? undefined : env[name]
}

function at(baseURL: string | undefined): { readonly baseURL?: string } {
  return baseURL === undefined ? {} : { baseURL }
}

/** Users write the address with or without the API version. */
function versioned(url: string, version: string): string {
  return /\/v\d\w*$/.test(url) ? url : `${url}/${version}`
}

/**
 * Reads it as Ollama does: the scheme and the port may be missing, and an address that listens on all interfaces means
 * this machine.
 */
function ollamaAddress(value: string): string {
  const address = /^https?:\/\//.test(value) ? value : `http://${value}`
  const full = /:\d+$/.test(address) || address !== `http://${value}` ? address : `${address}:11434`
  return full.replace(/\/\/(?:0\.0\.0\.0)?(?=:)/, "//127.0.0.1")
}

async function openCompatible(name: string, baseURL = "", apiKey?: string): Promise<Connect> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  // Without `includeUsage`, a stream reports no tokens.
  const settings = { name, baseURL, includeUsage: true, ...(apiKey !== undefined && { apiKey }) }
  return (model, fetch) => createOpenAICompatible({ ...settings, fetch })(model)
}
