// The cheapest that any layout of these texts could cost: every text may stand wherever it likes and the future is
// known. No real layout gets there, because a prefix has an order; how near one comes is what the figure is for.
import { type CacheRule, NO_CACHE } from "./cache-rules.ts"
import type { Call } from "./call.ts"

/** Input in units of one fresh token. A text is paid once where it appears first, and at the price of a read after. */
export function bound(calls: readonly Call[], rule: CacheRule): number {
  const uses = new Map<string, { readonly tokens: number; readonly times: number[] }>()
  for (const call of calls) {
    for (const [key, tokens] of textsOf(call)) {
      const known = uses.get(key) ?? { tokens, times: [] }
      known.times.push(call.at)
      uses.set(key, known)
    }
  }
  let sum = 0
  for (const { tokens, times } of uses.values()) sum += tokens * cheapest(times, rule)
  return sum
}

/** Texts by key; one that a call holds twice is two texts. */
function textsOf({ blocks }: Call): ReadonlyMap<string, number> {
  const texts = new Map<string, number>()
  for (const { key, tokens } of blocks.flatMap(({ pieces }) => pieces)) {
    let name = key
    while (texts.has(name)) name += "+"
    texts.set(name, tokens)
  }
  return texts
}

/** The least for one token that is needed at these times: kept for one of the lifetimes, or not kept. */
function cheapest(times: readonly number[], rule: CacheRule): number {
  if (rule.id === NO_CACHE.id) return times.length
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
