// What everything that is shown cost together, and what the figures stand for.
import type { ShownCosts } from "../../../src/serve/page/shown.ts"
import { inputOf } from "../../parts/call-facts.ts"
import { count, money, percent } from "../../parts/figures.ts"
import { type Fact, Facts } from "../../parts/money/facts.tsx"
import { Notes } from "../../parts/money/money-table.tsx"

export function CostTotal({ costs: { total, notes } }: { readonly costs: ShownCosts }) {
  const { usage, costUsd, calls } = total
  const input = inputOf(usage)
  const called: readonly Fact[] = calls === null ? [] : [[calls === 1 ? "call" : "calls", count(calls)]]
  return (
    <>
      <Facts
        facts={[
          [total.unpriced > 0 ? "at least" : "total", money(costUsd)],
          ...called,
          ["input tokens", count(input)],
          ["from the cache", percent(input === 0 ? 0 : usage.read / input)],
          ["output tokens", count(usage.output)],
        ]}
      />
      <Notes notes={notes} />
    </>
  )
}
