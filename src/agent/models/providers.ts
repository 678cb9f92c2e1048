// Where models come from: the providers as data, with the variables that hold their keys and addresses, and how each is
// opened. Their code is loaded when one is opened, not before.
import type { LanguageModelV4 } from "@ai-sdk/provider"
import { IncipitError } from "../../base/error.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Config } from "../../sources/config/config-schema.ts"

export type Env = Readonly<Record<string, string | undefined>>

/** Makes the model of that name; what it sends goes through `fetch`. */
type Connect = (name: string, fetch: typeof globalThis.fetch) => LanguageModelV4

export interface Provider {
  readonly name: string
  /** What else may stand before the slash. */
  readonly aliases?: readonly string[]
  /** Sets of variables, of which one must be there whole. */
  readonly keys: readonly (readonly string[])[]
  /** The variable that names another address, and what a value of it means. */
  readonly url?: { readonly variable: string; readonly read: (value: string) => string }
  /** Where it is unless that is set, if it is always in one place. */
  readonly home?: string
  /** What is asked where nobody has chosen a model. */
  readonly model?: string
  /** What it takes as the id of a call, whoever made it; anything if absent. */
  readonly callIds?: RegExp
  readonly open: (env: Env, url: string | undefined) => Promise<Connect>
}

/** As their documents say. */
const CALL_IDS = /^[A-Za-z0-9_-]{1,64}$/

/** In the order in which they are tried where no model is configured. */
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
      // What is stored there is sent as a reference: neither the text nor the thoughts would be in the request.
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
        // Empty rather than absent, or the process's own variables would count.
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

/** The bundled providers, then those of the configuration. */
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

/** What stands before the slash of a model that asks nobody. */
export const OFFLINE = "offline"

/** The provider of a model and the model's name there. A model without a provider is its cache rule's. */
export function providerFor(
  id: string,
  config: Config,
): { readonly provider: Provider; readonly name: string } {
  const [first, ...rest] = (id.includes("/") ? id : `${ruleFor(id).id.split("/")[0]}/${id}`).split("/")
  const name = rest.join("/")
  const known = providersOf(config)
  const provider = known.find((row) => row.name === first || row.aliases?.includes(first ?? ""))
  if (provider === undefined || name === "") {
    const names = known.map((row) => row.name).join(", ")
    throw new IncipitError("unknown-model", `there is no model "${id}" (the providers are ${names})`)
  }
  return { provider, name }
}

/** The variables that are missing, in words; nothing if there is what is needed. */
export function missingKey({ keys }: Provider, env: Env): string | undefined {
  const missing = keys.map((names) => names.filter((name) => valueIn(env, name) === undefined))
  if (missing.some((names) => names.length === 0)) return undefined
  return missing.map((names) => names.join(" and ")).join(", or ")
}

/** Where the provider is, and whether that was chosen. Nothing where its own code knows best. */
export function urlOf(
  { url, home }: Provider,
  env: Env,
): { readonly url: string | undefined; readonly isSet: boolean } {
  const value = url && valueIn(env, url.variable)
  if (url === undefined || value === undefined) return { url: home, isSet: false }
  const address = url.read(value.trim().replace(/\/+$/, ""))
  if (!/^https?:/.test(address) || !URL.canParse(address))
    throw new IncipitError("bad-configuration", `${url.variable} is "${value}", which is not an address`)
  return { url: address, isSet: true }
}

/** An empty variable is as good as none. */
function valueIn(env: Env, name: string): string | undefined {
  return env[name] === "" ? undefined : env[name]
}

function at(baseURL: string | undefined): { readonly baseURL?: string } {
  return baseURL === undefined ? {} : { baseURL }
}

/** Some write the address with the version of the API, some without. */
function versioned(url: string, version: string): string {
  return /\/v\d\w*$/.test(url) ? url : `${url}/${version}`
}

/** As Ollama reads it: the scheme and the port may be missing, and what listens everywhere is here. */
function ollamaAddress(value: string): string {
  const address = /^https?:\/\//.test(value) ? value : `http://${value}`
  const full = /:\d+$/.test(address) || address !== `http://${value}` ? address : `${address}:11434`
  return full.replace(/\/\/(?:0\.0\.0\.0)?(?=:)/, "//127.0.0.1")
}

async function openCompatible(name: string, baseURL = "", apiKey?: string): Promise<Connect> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  // Without `includeUsage`, a stream says nothing of tokens.
  const settings = { name, baseURL, includeUsage: true, ...(apiKey !== undefined && { apiKey }) }
  return (model, fetch) => createOpenAICompatible({ ...settings, fetch })(model)
}
