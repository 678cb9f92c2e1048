// A model as the loop sees it: something of the AI SDK's that can be asked, with what is known of it besides.
import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { ToolFormat } from "../../core/model/scope.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import type { Price } from "../../render/cache/price.ts"

export interface Model {
  /** As it was asked for: `provider/model`. */
  readonly id: string
  /** `fallback` for a model without tool calling. */
  readonly toolFormat: ToolFormat
  /** What the provider takes as the id of a call; anything if absent. */
  readonly callIds?: RegExp
  /** With its own multiples; `pricedRule` puts those of a price in their place. */
  readonly rule: CacheRule
  /** The offline model: no provider is asked, and figures of its cache are simulated under `rule`. */
  readonly isOffline: boolean
  /** Why the offline model answers. */
  readonly why?: string
  /** What a call costs at a time; null where nobody knows. */
  price(at: number): Price | null
  /** For one call: whatever it sends goes through `fetch`, so that the bytes on the wire can be kept. */
  language(fetch?: typeof globalThis.fetch): LanguageModelV4
}
