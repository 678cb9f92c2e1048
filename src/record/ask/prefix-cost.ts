// The cost of a call along its prefix: tokens that were read come first, then those that were written, the longest
// lifetime before shorter ones, then the rest. Whatever a prefix is divided into, the parts add up to the call. Pure.
import { parseDuration } from "../../base/duration.ts"
import { inputOf, type Price, type Rates, ratesFor, type Usage } from "../../render/cache/price.ts"

export interface CallCost {
  readonly usage: Usage
  readonly price: Price | null
  /** What the call actually cost, if that differs from the price. */
  readonly costUsd: number | null
}

/** Tokens next to each other that were used in the same way. */
export interface Stretch {
  readonly kind: "read" | "write" | "uncached"
  /** The lifetime that they were written for. */
  readonly ttl: string
  readonly tokens: number
}

/** The input of a call in prefix order. */
export function stretchesOf({ read, write, uncached }: Usage): readonly Stretch[] {
  const writes = Object.entries(write)
    // Longer lifetimes come first in a request.
    .toSorted(([one], [other]) => (parseDuration(other) ?? 0) - (parseDuration(one) ?? 0))
    .map(([ttl, tokens]): Stretch => ({ kind: "write", ttl, tokens }))
  return [{ kind: "read", ttl: "", tokens: read }, ...writes, { kind: "uncached", ttl: "", tokens: uncached }]
}

export interface PrefixCost {
  /** US dollars of the first tokens of the input. */
  upTo(tokens: number): number
  readonly outputUsd: number
}

/** Returns null if the cost of the call is unknown. If it is not what the price says, every part is scaled to it. */
export function prefixCost({ usage, price, costUsd }: CallCost): PrefixCost | null {
  if (costUsd === null) return null
  const rates = price && ratesFor(price, inputOf(usage))
  const stretches = stretchesOf(usage)
  const known = rates && stretches.map((stretch) => rateOf(stretch, rates))
  const priced = known?.every((rate) => rate !== undefined) ? known : undefined
  const sumOf = (each: readonly number[], output: number) =>
    stretches.reduce((sum, { tokens }, at) => sum + tokens * (each[at] ?? 0), usage.output * output)
  const isFree = priced === undefined || sumOf(priced, rates?.output ?? 0) <= 0
  // Without a price, every token counts the same.
  const each = isFree ? stretches.map(() => 1) : priced
  const output = isFree ? 1 : (rates?.output ?? 0)
  const sum = sumOf(each, output)
  const scale = sum > 0 ? costUsd / sum : 0
  return {
    outputUsd: sum > 0 ? usage.output * output * scale : costUsd,
    upTo(tokens) {
      let left = tokens
      let dollars = 0
      for (const [at, stretch] of stretches.entries()) {
        if (left <= 0) break
        dollars += Math.min(left, stretch.tokens) * (each[at] ?? 0)
        left -= stretch.tokens
      }
      return dollars * scale
    },
  }
}

/** Per million tokens, as the scale takes care of; a kind that does not occur costs nothing. */
function rateOf({ kind, ttl, tokens }: Stretch, rates: Rates): number | undefined {
  if (tokens === 0) return 0
  if (kind === "uncached") return rates.input
  return kind === "read" ? rates.read : rates.write?.[ttl]
}
