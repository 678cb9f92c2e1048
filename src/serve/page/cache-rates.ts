// What a token of a call costs, by what the provider's cache does with it: the page estimates the price of an edit by it.
import { type CacheRule, ttlOf } from "../../render/cache/cache-rule.ts"
import type { CacheRates, ShownPart } from "./shown.ts"

/** Written for the lifetime that the last cache mark asks for. */
export function cacheRates(rule: CacheRule, parts: readonly ShownPart[]): CacheRates | null {
  if (rule.lookup === "none") return null
  const mark = parts.findLast(({ breakpoint }) => breakpoint !== null)?.breakpoint
  return { read: rule.read, written: ttlOf(rule, mark ?? undefined).write }
}
