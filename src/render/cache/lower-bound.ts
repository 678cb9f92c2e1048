// A lower bound on the cost of these texts in any layout: it assumes that texts can go anywhere and that the future is
// known. No real layout reaches it, because a prefix has an order. It shows how close a layout comes.
import type { CacheRule } from "./cache-rule.ts"
import type { Call } from "./call.ts"

/**
 * Input in units of one uncached token, for one conversation in several layouts. Layouts don't send the same texts (one
 * shows an edit immediately, another sends it later), so this is the minimum over all of them.
 */
export function lowerBound(layouts: readonly (readonly Call[])[], rule: CacheRule): number {
  return Math.min(...layouts.map((calls) => leastFor(calls, rule)))
}

/** A text costs full price where it first appears, and the price of a read after that. */
function leastFor(calls: readonly Call[], rule: CacheRule): number {
  const uses = new Map<string, Uses>()
  for (const call of calls) {
    for (const { pieces } of call.blocks) {
      for (const { key, tokens } of pieces) {
        const known = uses.get(key) ?? { call, count: 0, tokens, times: [] }
        uses.set(key, known)
        known.count = known.call === call ? known.count + 1 : 1
        known.call = call
        // A text that a call contains twice counts as two texts.
        const times = known.times[known.count - 1] ?? []
        known.times[known.count - 1] = times
        times.push(call.at)
      }
    }
  }
  let sum = 0
  for (const { tokens, times } of uses.values()) for (const one of times) sum += tokens * cheapest(one, rule)
  return sum
}

/** When a text was needed: the times of its first occurrence per call, its second, and so on. */
interface Uses {
  readonly tokens: number
  readonly times: number[][]
  /** The latest call that contains it, and how often so far. */
  call: Call
  count: number
}

/** The minimum for one token needed at these times: cached for one of the lifetimes, or not cached. */
function cheapest(times: readonly number[], rule: CacheRule): number {
  if (rule.lookup === "none") return times.length
  let uncached = 0
  // The cost so far if the token was last cached for this lifetime.
  let kept = rule.ttls.map(() => Number.POSITIVE_INFINITY)
  let before = Number.NEGATIVE_INFINITY
  for (const at of times) {
    const idle = (at - before) / 1000
    const best = Math.min(uncached, ...kept)
    kept = rule.ttls.map(({ seconds, write }, which) => {
      const cost = kept[which] ?? Number.POSITIVE_INFINITY
      return Math.min(best + write, idle < seconds ? cost + rule.read : Number.POSITIVE_INFINITY)
    })
    uncached = best + 1
    before = at
  }
  return Math.min(uncached, ...kept)
}
