// Fields of rows whose form nobody vouches for: another version of a client, or another program, may have written them.
// A field of the wrong kind is taken for missing.
import { oncePerText } from "../../base/memo/once.ts"
import { isList, isObject, type Json, type JsonObject } from "../../record/write/request-marks.ts"
import { ttlOf } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Usage } from "../../render/cache/price.ts"

const EMPTY: JsonObject = {}
const NONE: readonly Json[] = []

/** An empty object if there is none. */
export function objectAt(row: JsonObject, key: string): JsonObject {
  const value = row[key]
  return isObject(value) ? value : EMPTY
}

/** An empty list if there is none. */
export function listAt(row: JsonObject, key: string): readonly Json[] {
  const value = row[key]
  return isList(value) ? value : NONE
}

/** Undefined if it is no text, or empty. */
export function textAt(row: JsonObject, key: string): string | undefined {
  const value = row[key]
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Zero if it is no count. */
export function tokensAt(row: JsonObject, key: string): number {
  const value = row[key]
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}

/** Milliseconds since 1970, written as a number or as ISO 8601. */
export function timeAt(row: JsonObject, key: string): number | undefined {
  const value = row[key]
  const time = typeof value === "string" ? Date.parse(value) : value
  return typeof time === "number" && Number.isFinite(time) && time > 0 ? time : undefined
}

/** Models that only their maker has, so that a provider of another name passes them on. */
const ONE_MAKER = /^(?:claude-|gpt-(?!oss)|o\d|gemini-)/

/** Sellers of such models that have prices or cache rules of their own. */
const SELLERS: ReadonlySet<string> = new Set([
  ...[
    "anthropic",
    "openai",
    "google",
    "google-vertex",
    "google-vertex-anthropic",
    "amazon-bedrock",
    "bedrock",
  ],
  ...["azure", "azure-openai", "github-copilot", "openrouter"],
])

/**
 * `provider/model`, or the model alone if the provider is not known. People name gateways as they like: with such a name
 * in front, a model would have no price.
 */
export function modelName(provider: string | undefined, model: string): string {
  if (provider === undefined || model.startsWith(`${provider}/`)) return model
  return ONE_MAKER.test(model) && !SELLERS.has(provider) ? model : `${provider}/${model}`
}

/** Shorter ids of a response are not made to be unique: some servers count from 1. */
const LEAST_ID = 16

/** The provider's id of the response, which every source of the same call has; else the client's own. */
export function callId(response: string | undefined, own: string): string {
  return response !== undefined && response.length >= LEAST_ID ? response : own
}

/** Tokens that were written to the cache, where the client does not say for how long: the model's default. */
export function written(model: string, tokens: number): Usage["write"] {
  return tokens === 0 ? {} : { [lifetimeOf(model)]: tokens }
}

const MOST_MODELS = 100

const lifetimeOf = oncePerText(MOST_MODELS, (model) => ttlOf(ruleFor(model), undefined).name)
