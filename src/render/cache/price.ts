// What tokens cost. Prices are passed in as data. If the price of one kind of token is unknown, so is the sum; never 0.
import type { CacheRule } from "./cache-rule.ts"

/** The tokens of one call by kind; every token has exactly one kind. */
export interface Usage {
  readonly uncached: number
  readonly read: number
  /** By the name of the lifetime for which they were written. */
  readonly write: Readonly<Record<string, number>>
  readonly output: number
}

/** US dollars per million tokens of each kind. */
export interface Rates {
  readonly input: number
  readonly output: number
  readonly read?: number
  readonly write?: Readonly<Record<string, number>>
}

/** The price of one model at one time. */
export interface Price extends Rates {
  /** The model that the row describes. */
  readonly model: string
  /** True if taken from another model's row, or if part of the output has a rate that a row cannot express. */
  readonly estimated: boolean
  /** Other rates for calls with more input than `above`, smallest first. */
  readonly longer?: readonly (Rates & { readonly above: number })[]
  readonly source: string
  readonly date: string
}

/** The rule with the price's own multiples, so that units and dollars agree. */
export function pricedRule(rule: CacheRule, price: Price | null): CacheRule {
  if (price === null || price.input === 0) return rule
  const { input, read, write } = price
  return {
    ...rule,
    ...(read !== undefined && { read: read / input }),
    ttls: rule.ttls.map((ttl) => {
      const rate = write?.[ttl.name]
      return rate === undefined ? ttl : { ...ttl, write: rate / input }
    }),
  }
}

const MILLION = 1_000_000

/** What a call cost, in US dollars. Returns null if the price of a kind that occurs is unknown. */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null) return null
  const rates = ratesFor(price, inputOf(usage))
  let sum = usage.uncached * rates.input + usage.output * rates.output
  if (usage.read > 0) {
    if (rates.read === undefined) return null
    sum += usage.read * rates.read
  }
  for (const [ttl, tokens] of Object.entries(usage.write)) {
    if (tokens === 0) continue
    const rate = rates.write?.[ttl]
    if (rate === undefined) return null
    sum += tokens * rate
  }
  return sum / MILLION
}

export function inputOf({ uncached, read, write }: Usage): number {
  return Object.values(write).reduce((sum, tokens) => sum + tokens, uncached + read)
}

/** The rates for a call with this much input. */
export function ratesFor(price: Price, input: number): Rates {
  return price.longer?.findLast(({ above }) => input > above) ?? price
}
