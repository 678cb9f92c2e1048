// What a call leaves in the provider's cache for the next one, and what it costs not to find it there. Pure.
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { inputOf, type Price, ratesFor, type Usage } from "../../render/cache/price.ts"
import { stretchesOf } from "./prefix-cost.ts"

/** What a call leaves for the next one, in tokens. */
export function keptBy(usage: Usage, { lookup, step, minimum }: CacheRule): number {
  if (lookup === "none") return 0
  const all = inputOf(usage)
  if (lookup === "breakpoint") return all - usage.uncached
  const whole = Math.floor(all / step) * step
  return whole >= minimum ? whole : 0
}

const MILLION = 1_000_000

/** Lost tokens were written again or sent uncached; reading them would have cost less. Null if a price is unknown. */
export function priceOfLoss(lost: number, usage: Usage, price: Price | null): number | null {
  if (lost === 0) return 0
  const rates = price && ratesFor(price, inputOf(usage))
  if (rates?.read === undefined) return null
  let left = lost
  let dollars = 0
  // They come right after what was read.
  for (const { kind, ttl, tokens } of stretchesOf(usage)) {
    if (kind === "read") continue
    const again = Math.min(left, tokens)
    const rate = kind === "write" ? rates.write?.[ttl] : rates.input
    if (again > 0 && rate === undefined) return null
    dollars += again * ((rate ?? 0) - rates.read)
    left -= again
  }
  return dollars / MILLION
}
