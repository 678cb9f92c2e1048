// The plan's entries of a prompt with a tail. A change to the head is listed under the head's own entry, and an edit of
// slower text under the edit.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Fitted } from "../fit/fit-sections.ts"
import type { Entry, Span } from "../model/plan.ts"
import type { Update } from "../write/measure.ts"
import { editEntryOf, entryOf, type KeyedEdit, roomDiagnostics } from "./entry.ts"
import { sentDigest, sentKey } from "./tail-updates.ts"

export interface TailEntries {
  /** The entries of the head. */
  readonly head: readonly Entry[]
  readonly sections: readonly Entry[]
  readonly edits: readonly Entry[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface TailEntriesInput {
  readonly head: readonly Entry[]
  readonly edits: readonly KeyedEdit[]
  /** By key in `Sent`. */
  readonly spans: ReadonlyMap<string, readonly Span[]>
}

export function tailEntries(tail: readonly Fitted[], { head, edits, spans }: TailEntriesInput): TailEntries {
  const listed = tail.map((fitted) => [fitted, entryOf(fitted, spans.get(sentKey(fitted.measured)))] as const)
  const about = (what: Update["of"]) =>
    listed.filter(([{ measured }]) => (measured.update?.of ?? "section") === what)
  const sections = about("section").map(([, entry]) => entry)
  return {
    head: withUpdates(head, about("head")),
    sections,
    edits: editEntries(edits, about("edit")),
    diagnostics: [...listed.flatMap(notSent), ...roomDiagnostics(sections)],
  }
}

type Listed = readonly [fitted: Fitted, entry: Entry]

function withUpdates(head: readonly Entry[], listed: readonly Listed[]): readonly Entry[] {
  if (listed.length === 0) return head
  const updates = new Map(listed.map((one) => [one[1].id, one]))
  return head.map((entry) => {
    const [fitted, update] = updates.get(entry.id) ?? []
    if (fitted === undefined || update === undefined || !isKnown(update)) return entry
    const outcome = entry.spans.length === 0 ? update.outcome : entry.outcome
    const spans = [...entry.spans, ...update.spans]
    return {
      ...entry,
      outcome,
      sent: sentDigest(fitted.measured),
      tokens: entry.tokens + update.tokens,
      spans,
    }
  })
}

/** Whether the model reads the update now or has read it before. */
function isKnown({ outcome: { kind } }: Entry): boolean {
  return kind === "included" || kind === "truncated" || kind === "unchanged"
}

/** One entry per edit, plus one for each earlier edit that was sent and is no longer made. */
function editEntries(edits: readonly KeyedEdit[], listed: readonly Listed[]): readonly Entry[] {
  const sent = new Map(listed.map(([{ measured }, entry]) => [sentKey(measured), entry]))
  const asEdit = (id: string, entry: Entry): Entry => ({ ...entry, kind: "edit", id })
  const made = edits.map((edit) => {
    const update = sent.get(edit.key)
    sent.delete(edit.key)
    return update === undefined ? editEntryOf(edit) : asEdit(edit.key, update)
  })
  return [...made, ...[...sent].map(([key, entry]) => asEdit(key, entry))]
}

function notSent([{ measured }, entry]: Listed): readonly Diagnostic[] {
  const isAbout = measured.update !== undefined && measured.update.of !== "section"
  if (!isAbout || entry.outcome.kind !== "dropped") return []
  return [{ code: "update-not-sent", id: entry.id, tokens: measured.whole?.tokens ?? 0, needs: entry.trust }]
}
