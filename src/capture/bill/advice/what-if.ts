// What the same calls would have cost with another lifetime of the cache, without a cache, or without what came after
// long pauses: replayed from what each call used and when it was made, so that it needs no text. Simulated, and equal to
// what the simulator says of the same calls.
import { keptBy } from "../../../record/ask/cache-loss.ts"
import type { CacheRule } from "../../../render/cache/cache-rule.ts"
import { costOf, inputOf, type Rates, ratesFor } from "../../../render/cache/price.ts"
import type { BillMiss } from "../bill.ts"
import type { ThreadCall } from "../misses/find-miss.ts"
import { firstDifference } from "../misses/first-difference.ts"

export interface Replayed {
  /** In dollars; above 0 it would have cost less. */
  savesUsd: number
  /** Calls that it changes. */
  calls: number
}

/** Names of lifetimes, such as `5m` and `1h`. */
export interface OtherTtl extends Replayed {
  readonly from: string
  readonly to: string
}

export interface WhatIfs {
  /** Everything that was written for the shorter lifetime, written for the longer one, and the other way round. */
  readonly ttls: readonly OtherTtl[]
  readonly noCache: Replayed
  /** What had expired for good is not sent again after the pause. */
  readonly longPauses: Replayed & { readonly tokens: number }
}

export interface WhatIf {
  add(step: WhatIfStep): void
  results(): WhatIfs
}

export interface WhatIfStep {
  readonly before: ThreadCall | undefined
  readonly after: ThreadCall
  readonly rule: CacheRule
  readonly miss: BillMiss | undefined
  /** Input of the first call of the conversation. */
  readonly firstInput: number
}

export function createWhatIf(): WhatIf {
  const ttls = new Map<string, OtherTtl>()
  const noCache: Replayed = { savesUsd: 0, calls: 0 }
  const longPauses = { savesUsd: 0, calls: 0, tokens: 0 }
  return {
    add(step) {
      const { usage } = step.after.call
      const { price } = step.after.priced
      if (price === null) return
      const rates = ratesFor(price, inputOf(usage))
      const cost = costOf({ ...usage, output: 0 }, price)
      if (cost === null) return
      noCache.savesUsd += cost - (inputOf(usage) * rates.input) / MILLION
      noCache.calls += 1
      addLongPause(longPauses, step, rates)
      for (const other of otherTtls(step, rates)) {
        const key = `${other.from}\n${other.to}`
        const known = ttls.get(key) ?? { from: other.from, to: other.to, savesUsd: 0, calls: 0 }
        known.savesUsd += other.savesUsd
        known.calls += 1
        ttls.set(key, known)
      }
    },
    results: () => ({ ttls: [...ttls.values()], noCache, longPauses }),
  }
}

const MILLION = 1_000_000

interface TtlRates {
  readonly name: string
  readonly ms: number
  readonly rate: number
}

/** Both ways between the shortest and the longest lifetime that the provider sells. */
function otherTtls(step: WhatIfStep, rates: Rates): readonly Omit<OtherTtl, "calls">[] {
  const sold = step.rule.ttls.flatMap(({ name, seconds }): readonly TtlRates[] => {
    const rate = rates.write?.[name]
    return rate === undefined ? [] : [{ name, ms: seconds * 1000, rate }]
  })
  const [short, long] = [sold[0], sold.at(-1)]
  if (short === undefined || long === undefined || short === long || rates.read === undefined) return []
  const { write } = step.after.call.usage
  const [written, writtenLong] = [write[short.name] ?? 0, write[long.name] ?? 0]
  const saved = savedByLonger(step, written, { short, long })
  const longer = (written - saved) * (short.rate - long.rate) + saved * (short.rate - rates.read)
  const again = rewrittenIfShorter(step, { short, long })
  const shorter = writtenLong * (long.rate - short.rate) + again * (rates.read - short.rate)
  return [
    ...(written > 0 ? [{ from: short.name, to: long.name, savesUsd: longer / MILLION }] : []),
    ...(writtenLong > 0 || again > 0
      ? [{ from: long.name, to: short.name, savesUsd: shorter / MILLION }]
      : []),
  ]
}

interface TwoTtls {
  readonly short: TtlRates
  readonly long: TtlRates
}

/** Tokens that were written again only because the shorter lifetime had passed. */
function savedByLonger({ before, after, rule, miss }: WhatIfStep, written: number, ttls: TwoTtls): number {
  if (miss?.cause !== "expired" || before === undefined) return 0
  const isWithin = (miss.idleMs ?? 0) <= ttls.long.ms && miss.ttlMs === ttls.short.ms
  const isExact = before.call.coverage === "exact" && after.call.coverage === "exact"
  // Another reason would have been enough.
  if (!isWithin || (isExact && firstDifference(before, after, rule) !== undefined)) return 0
  return Math.min(miss.tokens, written)
}

/** Tokens that could be read after a pause only because they lived longer. */
function rewrittenIfShorter({ before, after, rule }: WhatIfStep, { short, long }: TwoTtls): number {
  if (before === undefined || before.call.model !== after.call.model) return 0
  const idle = after.call.at - before.call.at
  if (idle <= short.ms || idle > long.ms || !before.lifetimes.has(long.name)) return 0
  return Math.min(after.call.usage.read, keptBy(before.call.usage, rule))
}

/** The first request of the conversation would have been sent anyway. */
function addLongPause(
  sum: { savesUsd: number; calls: number; tokens: number },
  step: WhatIfStep,
  rates: Rates,
): void {
  const { miss, rule, firstInput } = step
  const longest = Math.max(...rule.ttls.map(({ seconds }) => seconds * 1000))
  if (miss?.cause !== "expired" || miss.costUsd === null || (miss.idleMs ?? 0) <= longest) return
  const tokens = Math.max(0, miss.tokens - firstInput)
  if (tokens === 0 || rates.read === undefined) return
  const each = miss.costUsd / miss.tokens + rates.read / MILLION
  sum.savesUsd += tokens * each
  sum.tokens += tokens
  sum.calls += 1
}
