// Entries of the plan, made from what became of sections and edits.
import type { Result } from "./candidate.ts"
import { type EditResult, targetOf } from "./edit.ts"
import type { Placed } from "./layout.ts"
import type { Entry, Span } from "./plan.ts"

/** What goes into the prompt, in order. */
export function placedOf(results: readonly Result[]): readonly Placed[] {
  return results.flatMap(({ candidate, written }) => {
    const { id, pace } = candidate.edited.section
    return written === undefined ? [] : [{ id, pace, written }]
  })
}

export function entryOf(
  { candidate, outcome, written }: Result,
  spans: ReadonlyMap<string, readonly Span[]>,
): Entry {
  const { section, by } = candidate.edited
  const whole = candidate.whole
  return {
    kind: "section",
    id: section.id,
    pace: section.pace,
    need: section.need,
    trust: section.trust,
    outcome,
    tokens: written?.tokens ?? 0,
    spans: spans.get(section.id) ?? [],
    by,
    get told() {
      return written === undefined ? undefined : whole?.digest
    },
    get current() {
      return whole?.digest
    },
  }
}

/** The name of an edit, in the plan and among what was told. */
export function editKey({ edit }: Pick<EditResult, "edit">): string {
  return `edit:${edit.by}:${targetOf(edit)}`
}

/** What became of an edit whose text, if it has any, stands under the section that it changed. */
export function editEntryOf(result: EditResult): Entry {
  const { edit, outcome } = result
  const facts = { kind: "edit", pace: "turn", need: "high", trust: edit.trust ?? "public" } as const
  return {
    ...facts,
    id: editKey(result),
    outcome,
    tokens: 0,
    spans: [],
    told: undefined,
    current: undefined,
    by: [edit.by],
  }
}
