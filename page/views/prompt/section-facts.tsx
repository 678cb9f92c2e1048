// About the chosen text: why it was sent, since when it is cached, and what editing it would cost.
import type { CallDetail, CallRow } from "../../../src/serve/page/shown.ts"
import { clock, count, money } from "../../parts/figures.ts"
import { cachedSince } from "./cached-since.ts"
import { editCost } from "./edit-cost.ts"
import { sentBecause } from "./outcome-words.ts"
import type { Selection } from "./selection.ts"

export interface SectionFactsProps {
  readonly selection: Selection
  readonly detail: CallDetail
  readonly calls: readonly CallRow[]
  readonly at: number
  readonly isOperator: boolean
}

export function SectionFacts({ selection, detail, calls, at, isOperator }: SectionFactsProps) {
  const range =
    selection.kind === "row" ? selection.row.range : selection.kind === "block" ? selection.range : undefined
  if (range === undefined) return null
  const facts = [
    ...becauseOf(selection),
    ...sinceWords(calls, at, range[1]),
    ...(isOperator && isEditable(selection, detail) ? editWords(detail, range) : []),
  ]
  if (facts.length === 0) return null
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Fact = readonly [name: string, value: string]

function becauseOf(selection: Selection): readonly Fact[] {
  if (selection.kind !== "row" || selection.row.section === undefined) return []
  return [["Sent because", sentBecause(selection.row.section)]]
}

function sinceWords(calls: readonly CallRow[], at: number, end: number): readonly Fact[] {
  const found = cachedSince(calls, at, end)
  switch (found.kind) {
    case "unknown":
      return []
    case "uncached":
      return [["Cached", "no, sent uncached with this call"]]
    case "written":
      return [["Cached", "written to the cache with this call"]]
    case "read": {
      const times = found.times === 1 ? "once" : `${count(found.times)} times`
      const since = found.since === undefined ? "before this session" : clock(found.since.at)
      return [["Cached since", `${since}, read ${times}`]]
    }
  }
}

/** What was said cannot be edited. */
function isEditable(selection: Selection, { parts }: CallDetail): boolean {
  if (selection.kind !== "row") return false
  return (
    selection.row.stretches.every(({ part }) => parts[part]?.tier !== "messages") ||
    selection.row.section !== undefined
  )
}

function editWords(detail: CallDetail, range: readonly [number, number]): readonly Fact[] {
  const cost = editCost(detail, range)
  if (cost === undefined) return []
  const again = `${count(cost.tokens)} tokens written again`
  if (cost.tokens === 0) return [["If you edit it", "nothing is written again: nothing after it is cached"]]
  if (detail.call.isSimulated) return [["If you edit it", `${again} (simulated, the offline model is free)`]]
  if (cost.nowUsd === null || cost.laterUsd === null)
    return [["If you edit it", `${again}; no price is known`]]
  const later = `${money(cost.laterUsd)} when the prompt is rebuilt anyway`
  return [["If you edit it", `${again}, about ${money(cost.nowUsd)} more now, about ${later} (estimated)`]]
}
