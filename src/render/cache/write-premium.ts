// Why calls can cost more with a cache than without one: what they write costs more than uncached input, and only later
// calls read it. In the words of every report that shows such a sum.
import type { CacheRule } from "./cache-rule.ts"
import { inputOf, type Usage } from "./price.ts"
import { unitsOf } from "./simulate.ts"

/** Undefined if the calls cost no more than without a cache. */
export function writePremium(usage: Usage, rule: CacheRule): string | undefined {
  // Sums of multiples differ in their last digits.
  if (unitsOf(usage, rule) <= inputOf(usage) + 0.5) return undefined
  const written = rule.ttls.filter(({ name }) => (usage.write[name] ?? 0) > 0)
  const write = Math.max(...written.map((ttl) => ttl.write))
  return `This is more than without a cache: what is written to it costs ${factor(write)} times as much as uncached input, and ${factor(rule.read)} times when later calls read it.`
}

function factor(value: number): string {
  return String(Math.round(value * 100) / 100)
}
