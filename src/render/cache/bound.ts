// The cheapest that any layout of these texts could cost: every text may stand wherever it likes and the future is
// known. No real layout gets there, because a prefix has an order; how near one comes is what the figure is for.
import type { CacheRule } from "./cache-rule.ts"
import type { Call } from "./call.ts"

/**
 * Input in units of one fresh token, for one conversation laid out in several ways. Layouts do not send the same
 * texts (one shows an edit at once, another holds it back), so it is the least over all of them.
 */
export function bound(layouts: readonly (readonly Call[])[], rule: CacheRule): number {
  return Math.min(...layouts.map((calls) => leastFor(calls, rule)))
}

/** A text is paid once where it appears first, and at the price of a read after. */
function leastFor(calls: readonly Call[], rule: CacheRule): number {
  const uses = new Map<string, Uses>()
  for (const call of calls) {
    for (const { pieces } of call.blocks) {
      for (const { key, tokens } of pieces) {
        const known = uses.get(key) ?? { call, count: 0, tokens, times: [] }
        uses.set(key, known)
        known.count = known.call === call ? known.count + 1 : 1
        known.call = call
        // One that a call holds twice is two texts.
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

/** When a text was needed, for its first place in a call, its second, and so on. */
interface Uses {
  readonly tokens: number
  readonly times: number[][]
  /** The newest call that has it, and how often so far. */
  call: Call
  count: number
}

/** The least for one token that is needed at these times: kept for one of the lifetimes, or not kept. */
function cheapest(times: readonly number[], rule: CacheRule): number {
  if (rule.lookup === "none") return times.length
  let loose = 0
  // What the token has cost so far if it was kept last for this lifetime.
  let kept = rule.ttls.map(() => Number.POSITIVE_INFINITY)
  let before = Number.NEGATIVE_INFINITY
  for (const at of times) {
    const idle = (at - before) / 1000
    const best = Math.min(loose, ...kept)
    kept = rule.ttls.map(({ seconds, write }, which) => {
      const cost = kept[which] ?? Number.POSITIVE_INFINITY
      return Math.min(best + write, idle < seconds ? cost + rule.read : Number.POSITIVE_INFINITY)
    })
    loose = best + 1
    before = at
  }
  return Math.min(loose, ...kept)
}
