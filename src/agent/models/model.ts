// A model as the loop sees it: an AI SDK model, with the facts that the agent needs about it.
import type { ToolFormat } from "../../core/model/inputs.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import type { Price } from "../../render/cache/price.ts"

/** Facts about a model that need no call. */
export interface ModelFacts {
  /** As it was asked for: `provider/model`. */
  readonly id: string
  /** `fallback` for a model without tool calling. */
  readonly toolFormat: ToolFormat
  /** False for a model that is known to take neither images nor documents: it gets a line instead of each. */
  readonly takesFiles?: boolean
  /** Call ids that the provider accepts; any if undefined. */
  readonly callIds?: RegExp
  /** With the rule's own multiples; `pricedRule` replaces them with those of a price. */
  readonly rule: CacheRule
  /** The offline model: calls no provider; what its cache would do is simulated under `rule`. */
  readonly isOffline: boolean
  /** Why the offline model answers. */
  readonly why?: string
  /** The key that is missing, if that is why, and the model that it is for. */
  readonly missing?: MissingKey
  /** The price of a call at a time; null if it is unknown. */
  price(at: number): Price | null
}

/** A key that is not set. */
export interface MissingKey {
  /** The environment variables, such as `ANTHROPIC_API_KEY`. */
  readonly key: string
  readonly model: string
}

/**
 * A language model of the AI SDK: what the provider packages return, the SDK's `LanguageModelV4`. Only what identifies
 * one is written out, because the SDK's own types need a package that it does not bring along.
 */
export interface SdkLanguageModel {
  readonly specificationVersion: "v4"
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<unknown>
}

/** A language model that is ready to be called, with the facts that its prompt is planned by. */
export interface Model extends ModelFacts {
  /** For one call. All requests go through `fetch`, so that the bytes on the wire can be recorded. */
  language(fetch?: typeof globalThis.fetch): SdkLanguageModel
}
