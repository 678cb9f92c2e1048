// Makes the plan's entries from fitted sections and from edits.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { mostOf, type Trust } from "../../base/trust.ts"
import type { Fitted } from "../fit/fit-sections.ts"
import { type EditResult, targetOf } from "../model/edit.ts"
import type { Entry, Span } from "../model/plan.ts"
import type { Measured } from "../write/measure.ts"

export function entryOf({ measured, outcome, written }: Fitted, spans: readonly Span[] = []): Entry {
  const { section, source } = measured
  return {
    kind: "section",
    id: section.id,
    pace: section.pace,
    priority: section.priority,
    trust: trustOf(measured),
    outcome,
    tokens: written?.tokens ?? 0,
    spans,
    sent: written === undefined ? undefined : source?.digest,
    current: source?.digest,
    by: section.by ?? [],
  }
}

/** The trust needed to see all of it: the highest that the section or any part asks for. */
function trustOf({ section, gated }: Measured): Trust {
  const parts = gated.content?.parts ?? []
  return parts.reduce<Trust>(
    (most, part) => mostOf(most, "trust" in part ? (part.trust ?? "public") : "public"),
    section.trust,
  )
}

/** Diagnostics for sections that were dropped or cut. */
export function roomDiagnostics(entries: readonly Entry[]): readonly Diagnostic[] {
  return entries.flatMap(({ kind, id, outcome, trust: needs }): Diagnostic[] => {
    if (kind !== "section") return []
    if (outcome.kind === "dropped") return [{ code: "section-dropped", id, overBy: outcome.overBy, needs }]
    return outcome.kind === "truncated"
      ? [{ code: "section-cut", id, from: outcome.from, to: outcome.to, needs }]
      : []
  })
}

/** An edit with the key that identifies it in the plan and in `Sent`. */
export interface KeyedEdit extends EditResult {
  readonly key: string
}

/** Numbers the edits by one author to one section, so that their keys differ. */
export function keyEdits(results: readonly EditResult[]): readonly KeyedEdit[] {
  const seen = new Map<string, number>()
  return results.map((result) => {
    const name = `${result.edit.by}:${targetOf(result.edit)}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { ...result, key: `edit:${count}:${name}` }
  })
}

/** The outcome of an edit. Its text, if any, is listed under the section that it changed. */
export function editEntryOf({ edit, outcome, key }: KeyedEdit): Entry {
  const facts = { kind: "edit", pace: "turn", priority: "high", trust: edit.trust ?? "public" } as const
  return {
    ...facts,
    id: key,
    outcome,
    tokens: 0,
    spans: [],
    sent: undefined,
    current: undefined,
    by: [edit.by],
  }
}
