// How a client is pointed at the proxy, or made to write its requests down, for one run and without writing into its
// folder: by variables, by arguments, or by a file in a folder of ours.
import { basename, join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { isObject, type JsonObject } from "../../record/write/request-marks.ts"
import { objectAt, textAt } from "../clients/row-fields.ts"
import { jsonObject } from "../json-object.ts"
import { PROVIDER_URLS, PROVIDERS, type Provider } from "./upstream.ts"

type Variables = Readonly<Record<string, string | undefined>>

export interface SetupOptions {
  readonly command: string
  readonly variables: Variables
  /** `bodies`: the client writes its requests into the folder. Only Claude Code and programs with its SDK can. */
  readonly mode: "bodies" | "proxy" | undefined
  /** Of the proxy. */
  readonly url: string
  /** Private, and gone after the run. */
  readonly folder: string
  /** The text of a file in the user's own configuration; undefined if there is none. */
  readonly read: (path: string) => string | undefined
  readonly home: string
  readonly cwd: string
}

export interface Setup {
  readonly mode: "bodies" | "proxy"
  readonly variables: Readonly<Record<string, string>>
  /** Put before the user's own. */
  readonly args: readonly string[]
  /** Files to write into the folder. */
  readonly files: Readonly<Record<string, string>>
  /** Where the user's calls went before: the proxy's own way out. */
  readonly providers: Readonly<Partial<Record<Provider, string>>>
  /** How the client behaves differently, in a sentence. */
  readonly note?: string | undefined
}

const BASE_URL_VARIABLES: Readonly<Record<Provider, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
}

/** What clients are given: OpenAI's address has a version in it. */
function baseUrls(url: string): Readonly<Record<Provider, string>> {
  return { anthropic: url, openai: `${url}/v1`, google: url }
}

export function setUp(options: SetupOptions): Setup {
  const name = basename(options.command).replace(/\.(?:exe|cmd|js|mjs|cjs)$/, "")
  const own = Object.hasOwn(SETUPS, name) ? SETUPS[name] : undefined
  if (options.mode !== "bodies") return (own ?? generic)(options)
  if (own === undefined || name === "claude") return claudeBodies(options)
  throw new IncipitError("bad-argument", `${name} cannot write its requests down: leave out --bodies`)
}

const SETUPS: Readonly<Record<string, (options: SetupOptions) => Setup>> = {
  claude: (options) => (options.mode === "proxy" ? claudeProxy(options) : claudeBodies(options)),
  codex,
  gemini: generic,
  openclaw,
  opencode,
  pi,
}

function claudeBodies({ folder }: SetupOptions): Setup {
  const variables = { OTEL_LOG_RAW_API_BODIES: `file:${folder}` }
  return { mode: "bodies", variables, args: [], files: {}, providers: {} }
}

/** It sends another prompt to a host that it does not know, unless it is told that this is its own. */
function claudeProxy(options: SetupOptions): Setup {
  const setup = generic(options)
  const isOwn = options.variables[BASE_URL_VARIABLES.anthropic] === undefined
  const first = isOwn ? { _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: "1" } : {}
  return {
    ...setup,
    variables: { ...setup.variables, ...first },
    note: "Behind a proxy, Claude Code may send a different prompt than it usually does. --bodies shows what it sends without one.",
  }
}

function generic({ url, variables }: SetupOptions): Setup {
  const urls = baseUrls(url)
  const given = PROVIDERS.flatMap((provider) => {
    const value = variables[BASE_URL_VARIABLES[provider]]
    return value === undefined || value === "" ? [] : [[provider, value] as const]
  })
  return {
    mode: "proxy",
    variables: {
      ...Object.fromEntries(PROVIDERS.map((provider) => [BASE_URL_VARIABLES[provider], urls[provider]])),
      ...direct(variables),
    },
    args: [],
    files: {},
    providers: Object.fromEntries(given),
  }
}

/** A client that uses a web proxy must not use it to reach this machine. */
function direct(variables: Variables): Readonly<Record<string, string>> {
  const known = variables.NO_PROXY ?? variables.no_proxy ?? ""
  const value = [known, "127.0.0.1", "localhost"].filter((name) => name !== "").join(",")
  return { NO_PROXY: value, no_proxy: value }
}

/** Its settings can be given as arguments; the provider in use keeps everything but its address. */
function codex(options: SetupOptions): Setup {
  const { variables, home, read, url } = options
  const folder = variables.CODEX_HOME ?? join(home, ".codex")
  const { provider, address } = codexProvider(read(join(folder, "config.toml")) ?? "")
  const setting = provider === "openai" ? "openai_base_url" : `model_providers.${provider}.base_url`
  const upstream = address ?? variables.OPENAI_BASE_URL
  return {
    ...{ mode: "proxy", files: {}, variables: direct(variables) },
    args: ["-c", `${setting}=${JSON.stringify(baseUrls(url).openai)}`],
    providers: upstream === undefined ? {} : { openai: upstream },
    note: "Calls that Codex sends over a WebSocket are passed on and not captured.",
  }
}

/** Two settings of a TOML file: which provider is used, and its address. */
function codexProvider(toml: string): { readonly provider: string; readonly address: string | undefined } {
  const sections = toml.split(/^\s*\[/m)
  const valueIn = (section: string | undefined, name: string) =>
    new RegExp(`^\\s*${name}\\s*=\\s*["']([^"'\\n]+)["']`, "m").exec(section ?? "")?.[1]
  const provider = valueIn(sections[0], "model_provider") ?? "openai"
  const own = sections.find(
    (section) => /^model_providers\.["']?([\w-]+)["']?\]/.exec(section)?.[1] === provider,
  )
  return { provider, address: valueIn(own, "base_url") ?? valueIn(sections[0], "openai_base_url") }
}

/** Its settings can be given as a variable, which counts more than its files. */
function opencode(options: SetupOptions): Setup {
  const { url, variables, home, cwd, read } = options
  const config = variables.XDG_CONFIG_HOME ?? join(home, ".config")
  const inFolder = (folder: string) =>
    ["opencode.json", "opencode.jsonc"].map((name) => read(join(folder, name)))
  const named = variables.OPENCODE_CONFIG
  const places = [
    ...inFolder(join(config, "opencode")),
    ...(named === undefined ? [] : [read(named)]),
    ...[cwd, join(cwd, ".opencode")].flatMap(inFolder),
  ]
  const given = parsedObject(variables.OPENCODE_CONFIG_CONTENT)
  const known = [...places.map(parsedObject), given].map((one) => objectAt(one, "provider"))
  const urls: Readonly<Record<Provider, string>> = {
    ...{ anthropic: `${url}/v1`, openai: `${url}/v1`, google: `${url}/v1beta` },
  }
  const upstreams = PROVIDERS.flatMap((provider) => {
    const addresses = known.map((one) => textAt(objectAt(objectAt(one, provider), "options"), "baseURL"))
    const address = addresses.findLast((one) => one !== undefined)
    return address === undefined ? [] : [[provider, asUsual(provider, address)] as const]
  })
  const own = Object.fromEntries(
    PROVIDERS.map((provider) => [provider, { options: { baseURL: urls[provider] } }]),
  )
  return {
    ...{ mode: "proxy", args: [], files: {}, providers: Object.fromEntries(upstreams) },
    variables: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(merged(given, { provider: own })),
      ...direct(variables),
    },
    note: "Calls to providers other than Anthropic, OpenAI and Google are not captured.",
  }
}

/** Its addresses have a version in them, also where a provider's own clients add it. */
function asUsual(provider: Provider, address: string): string {
  if (provider === "openai") return address
  return address.replace(provider === "anthropic" ? /\/v1\/?$/ : /\/v1beta\/?$/, "")
}

/** Empty for settings that are missing or damaged. */
function parsedObject(text: string | undefined): JsonObject {
  return jsonObject(plainJson(text ?? "")) ?? {}
}

/** A comment or a string that does not end goes on to the end of the text, so that each is looked at once. */
const STRING_OR_COMMENT = /"(?:\\[\s\S]|[^"\\])*"?|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/g
const STRING_OR_LAST_COMMA = /"(?:\\[\s\S]|[^"\\])*"?|,(?=\s*[\]}])/g

/** Without comments and commas at an end, which clients allow: an address behind one must not be overlooked. */
function plainJson(text: string): string {
  const bare = text.replaceAll(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : " "))
  return bare.replaceAll(STRING_OR_LAST_COMMA, (found) => (found === "," ? "" : found))
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const entries = Object.entries(other).map(([key, value]) => {
    const known = one[key]
    return [key, isObject(known) && isObject(value) ? merged(known, value) : value] as const
  })
  return { ...one, ...Object.fromEntries(entries) }
}

const PI_EXTENSION = "pi-proxy.mjs"

/** An extension can give its providers another address. */
function pi({ url, variables, folder, home, read }: SetupOptions): Setup {
  const agent = variables.PI_CODING_AGENT_DIR ?? join(home, ".pi", "agent")
  const models = parsedObject(read(join(agent, "models.json")))
  const own = objectAt(models, "providers")
  const upstreams = PROVIDERS.flatMap((provider) => {
    const address = textAt(objectAt(own, provider), "baseUrl")
    return address === undefined ? [] : [[provider, address] as const]
  })
  const urls = { ...baseUrls(url), google: `${url}/v1beta` }
  const lines = PROVIDERS.map(
    (provider) => `  pi.registerProvider("${provider}", { baseUrl: "${urls[provider]}" })\n`,
  )
  return {
    ...{ mode: "proxy", variables: direct(variables), providers: Object.fromEntries(upstreams) },
    args: ["--extension", join(folder, PI_EXTENSION)],
    files: { [PI_EXTENSION]: `export default function (pi) {\n${lines.join("")}}\n` },
    note: "Calls to providers other than Anthropic, OpenAI and Google are not captured.",
  }
}

/** Nothing but its own configuration says where its providers are. */
function openclaw(options: SetupOptions): Setup {
  return {
    ...generic(options),
    note: "OpenClaw takes the addresses of its providers from openclaw.json, so wrap cannot capture its calls. incipit proxy says what to set there.",
  }
}

/** Lines for people who set clients up themselves. */
export function setupLines(url: string): readonly string[] {
  const urls = baseUrls(url)
  return [
    `Claude Code, Agent SDK   ANTHROPIC_BASE_URL=${urls.anthropic} _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1`,
    `Codex                    codex -c openai_base_url='"${urls.openai}"'`,
    `Gemini CLI               GOOGLE_GEMINI_BASE_URL=${urls.google}`,
    `OpenCode                 provider.anthropic.options.baseURL: "${url}/v1" in opencode.json`,
    `pi                       providers.anthropic.baseUrl: "${url}" in models.json`,
    `OpenClaw                 models.providers.anthropic.baseUrl: "${url}" in openclaw.json`,
    `Anthropic SDK            ANTHROPIC_BASE_URL=${urls.anthropic}`,
    `OpenAI SDK               OPENAI_BASE_URL=${urls.openai}`,
    `Google Gen AI SDK        GOOGLE_GEMINI_BASE_URL=${urls.google}`,
  ]
}

/** The address that a word of the command line stands for. */
export function upstreamUrl(word: string): string | undefined {
  const provider = PROVIDERS.find((name) => name === word)
  if (provider !== undefined) return PROVIDER_URLS[provider].replace(/\/v1$/, "")
  if (!URL.canParse(word)) return undefined
  return /^https?:$/.test(new URL(word).protocol) ? word : undefined
}
