// What tokens cost. Prices come in as data; a kind of token whose price is not known makes the sum unknown, never 0.
import type { CacheRule } from "./cache-rule.ts"

/** Tokens of one call by kind; every token is in exactly one of them. */
export interface Usage {
  readonly fresh: number
  readonly read: number
  /** By the name of the lifetime for which they were written. */
  readonly write: Readonly<Record<string, number>>
  readonly output: number
}

/** Dollars for a million tokens of each kind. */
export interface Rates {
  readonly input: number
  readonly output: number
  readonly read?: number
  readonly write?: Readonly<Record<string, number>>
}

/** The price of one model at one time. */
export interface Price extends Rates {
  /** The model that the row is about. */
  readonly model: string
  /** Taken from a model of another id, or part of the output is billed at a rate that a row cannot hold. */
  readonly estimated: boolean
  /** Other rates for calls with more input than this, smallest first. */
  readonly longer?: readonly (Rates & { readonly above: number })[]
  readonly source: string
  readonly date: string
}

/** The rule with the multiples that the price itself has, so that units and dollars say the same. */
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

/** Nothing where the price of some kind that occurs is not known. */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null) return null
  const rates = ratesFor(price, inputOf(usage))
  let sum = usage.fresh * rates.input + usage.output * rates.output
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

export function inputOf({ fresh, read, write }: Usage): number {
  return Object.values(write).reduce((sum, tokens) => sum + tokens, fresh + read)
}

/** What holds for a call with so much input. */
export function ratesFor(price: Price, input: number): Rates {
  return price.longer?.findLast(({ above }) => input > above) ?? price
}
