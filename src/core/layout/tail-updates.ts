// What the tail may have to contain: turn sections, changes to the head, edits of slower text, and endings. All are
// measured sections; those about another section have an `update`.
import type { Digest } from "../../base/digest.ts"
import { mostOf } from "../../base/trust.ts"
import { type Baseline, baselineText } from "../epoch/epoch.ts"
import { formWithin } from "../fit/fit-sections.ts"
import type { Content, TextPart } from "../model/content.ts"
import { targetOf } from "../model/edit.ts"
import type { OnChange } from "../model/on-change.ts"
import { onChangeOf, type Section } from "../model/section.ts"
import { gate } from "../view/gate.ts"
import { updateEnvelope } from "../write/markup.ts"
import { type ChosenUpdate, type Kit, type Measured, measureUpdate, type Update } from "../write/measure.ts"
import type { Signed } from "../write/write.ts"
import type { EditedStep } from "./layout.ts"
import { isSameTurn, type Moment, patchIn, sentSections, whenToSend } from "./tail.ts"
import { updateForms } from "./update-forms.ts"

const ENDED: Content = { parts: [{ text: "This no longer applies." }] }

export function tailSections(sections: readonly Measured[], step: EditedStep): readonly Measured[] {
  return withEndings([...headUpdates(step), ...editUpdates(step), ...sections], step)
}

/** Its key in `Sent`. */
export function sentKey({ section, update }: Measured): string {
  return update?.key ?? section.id
}

/** The text that the model knows once it has read this one. */
export function sentDigest({ source, update }: Measured): Digest | undefined {
  return update?.ends ? undefined : (update?.digest ?? source?.digest)
}

/** Whether the conversation already contains it, though not as a section. */
export function isInConversation({ section, update }: Measured): boolean {
  return update === undefined && section.inConversation === true
}

export function timing(measured: Measured, moment: Moment): "now" | "later" | "unchanged" {
  if (measured.update?.ends) return "now"
  const digest = sentDigest(measured)
  if (digest === undefined || isInConversation(measured)) return "unchanged"
  return whenToSend({ key: sentKey(measured), digest, onChange: onChangeOf(measured.section) }, moment)
}

/** Sections with `onChange: "append"` whose text differs from what the model was last sent. */
function headUpdates({ head, moment, kit }: EditedStep): readonly Measured[] {
  const known = sentSections(moment)
  if (head.changes.length === 0 && !Object.keys(known).some((key) => key.startsWith("head:"))) return []
  const changes = new Map(head.changes.map((change) => [change.id, change]))
  return head.measured.flatMap((measured): Measured[] => {
    const { section, source } = measured
    const key = `head:${section.id}`
    const change = changes.get(section.id)
    if (change?.why === "unavailable" || !(change?.how === "append" || key in known)) return []
    if (source === undefined) return isSameTurn(moment) ? [] : [ending(section, { key, kit })]
    const { parts, patch } = shortestUpdate(
      { measured, source, key },
      { baseline: head.baseline, moment, kit },
    )
    // No second gate: the text passed the gate as part of the head.
    const gated = { content: { parts }, hidden: [] }
    const update: Update = { key, of: "head", digest: source.digest, patch }
    return [measureUpdate({ section: asUpdate(section, gated.content), gated, update }, kit)]
  })
}

function asUpdate(section: Section, content: Content): Section {
  return {
    ...section,
    pace: "turn",
    priority: "high",
    cut: "whole",
    onChange: "turn",
    budget: "head",
    content,
  }
}

function shortestUpdate(
  { measured, source, key }: { readonly measured: Measured; readonly source: Signed; readonly key: string },
  { baseline, moment, kit }: { readonly baseline: Baseline; readonly moment: Moment; readonly kit: Kit },
): ChosenUpdate {
  const { id, bare } = measured.section
  const before = patchIn(moment, key)
  const entry = baseline.entries.find((one) => one.id === id)
  // Compare a cut text as it would be cut now, because the rest of it was never sent.
  const cut =
    entry?.outcome.kind === "truncated" ? formWithin(measured, { limit: entry.outcome.to, kit }) : undefined
  const now = cut ?? source
  const updates = kit.updates(baseline)
  const known = updates.get(now)
  if (known !== undefined && known.before === before) return known
  const { forms, patch } = updateForms({
    baseline: baselineText(baseline, id),
    patch: before,
    now,
    bare: bare === true,
  })
  const tokens = (parts: readonly TextPart[]) =>
    kit.writeOnce({ id: key, envelope: updateEnvelope(id) }, parts)?.tokens ?? 0
  const priced = forms.map((parts) => ({ parts, tokens: tokens(parts) }))
  const { parts } = priced.reduce((best, form) => (form.tokens < best.tokens ? form : best))
  const chosen = { parts, patch, before }
  updates.set(now, chosen)
  return chosen
}

/** Edits of text that is slower than the edit. */
function editUpdates({ results, head, kit }: EditedStep): readonly Measured[] {
  return results.flatMap(({ edit, update: content, key }): Measured[] => {
    if (content === undefined) return []
    const id = targetOf(edit)
    // An audience that may not see the section must not learn about a change to it.
    const own = head.measured.find(({ section }) => section.id === id)?.section.trust
    const trust = mostOf(edit.trust ?? "public", own ?? "public")
    const section: Section = {
      id,
      pace: "turn",
      priority: "high",
      trust,
      cut: "lines",
      content,
      by: [edit.by],
    }
    return [measureUpdate({ section, gated: gate(section, head.view), update: { key, of: "edit" } }, kit)]
  })
}

/**
 * The sections, plus a line for each text that was sent and no longer applies. Within a turn, only text
 * with `onChange: "step"` can end. Text with `onChange: "always"` describes one turn only, so it needs no ending.
 */
function withEndings(sections: readonly Measured[], { moment, kit }: EditedStep): readonly Measured[] {
  const sent = new Set(Object.keys(sentSections(moment)).filter((key) => !key.startsWith("head:")))
  const mayEnd = (onChange: OnChange) => onChange !== "always" && (!isSameTurn(moment) || onChange === "step")
  const ended = sections.map((measured) => {
    const { section, whole } = measured
    const key = sentKey(measured)
    const isOver = sent.delete(key) && whole === undefined && mayEnd(onChangeOf(section))
    return isOver ? ending(section, { key, kit }) : measured
  })
  const gone = mayEnd("turn") ? [...sent].map((key) => ending(withoutAuthor(key), { key, kit })) : []
  return [...ended, ...gone]
}

function ending(ended: Section, { key, kit }: { readonly key: string; readonly kit: Kit }): Measured {
  const of = key.startsWith("edit:") ? "edit" : key.startsWith("head:") ? "head" : "section"
  const section: Section = { ...ended, priority: "required", cut: "whole", onChange: "step", content: ENDED }
  const gated = { content: ENDED, hidden: [] }
  return measureUpdate({ section, gated, update: { key, of, ends: true } }, kit)
}

/** A section or edit that was sent and no longer has an author. */
function withoutAuthor(key: string): Section {
  const id = key.slice(key.lastIndexOf(":") + 1)
  return { id, pace: "turn", priority: "required", trust: "public", cut: "whole", content: undefined }
}
