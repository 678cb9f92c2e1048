// What everything that is shown cost together, and what the figures stand for.

import type { ShownCosts } from "../../../src/serve/page/shown.ts"
import { inputOf } from "../../parts/call-facts.ts"
import { count, money, percent } from "../../parts/figures.ts"
import { visibleName } from "../../parts/visible-text.ts"

export function CostTotal({ costs: { total, notes } }: { readonly costs: ShownCosts }) {
  const { usage, costUsd, calls } = total
  const input = inputOf(usage)
  return (
    <>
      <dl class="cost-facts">
        <Fact name={total.unpriced > 0 ? "at least" : "in all"} value={money(costUsd)} />
        {calls !== null && <Fact name={calls === 1 ? "call" : "calls"} value={count(calls)} />}
        <Fact name="input tokens" value={count(input)} />
        <Fact name="from the cache" value={percent(input === 0 ? 0 : usage.read / input)} />
        <Fact name="output tokens" value={count(usage.output)} />
      </dl>
      {notes.map((note) => (
        <p key={note} class="small quiet">
          {visibleName(note)}
        </p>
      ))}
    </>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
