// The items that the tail may have to tell: turn sections, changes to the head, edits of slower text, and endings.
import type { Digest } from "../../base/digest.ts"
import type { Patch } from "../../base/text/line-diff.ts"
import { mostOf } from "../../base/trust.ts"
import { type Candidate, candidateOf, formWithin, type Kit } from "../compile/candidate.ts"
import type { KeyedEdit } from "../compile/entry.ts"
import { type Baseline, baselineText } from "../epoch/epoch.ts"
import type { HeadState } from "../epoch/head.ts"
import type { Content, TextPart } from "../model/content.ts"
import { type Edited, targetOf } from "../model/edit.ts"
import type { OnChange } from "../model/on-change.ts"
import { onChangeOf, type Section } from "../model/section.ts"
import { gate } from "../view/gate.ts"
import { updateEnvelope } from "../write/markup.ts"
import type { Signed, Written } from "../write/write.ts"
import { isSameTurn, type Moment, patchIn, sentSections, whenToSend } from "./tail.ts"
import { updateOf } from "./update.ts"

export interface Item {
  /** Its key in `Told`. */
  readonly key: string
  readonly kind: "section" | "update" | "edit"
  /** The id of the section that it is, or that it is about. */
  readonly target: string
  readonly candidate: Candidate
  readonly onChange: OnChange
  readonly digest: Digest | undefined
  /** For an update: turns the baseline's text into this one. */
  readonly patch?: Patch
  /** The conversation already contains it. */
  readonly isSaid?: true
  /** It was told and no longer applies; one line takes it back. */
  readonly ends?: true
}

const ENDED: Content = { parts: [{ text: "This no longer applies." }] }

export function timing(item: Item, moment: Moment): "now" | "later" | "unchanged" {
  if (item.ends) return "now"
  if (item.digest === undefined || item.isSaid) return "unchanged"
  return whenToSend(item.key, item.digest, item.onChange, moment)
}

export function sectionItem(candidate: Candidate): Item {
  const { section } = candidate.edited
  const { id } = section
  const digest = candidate.source?.digest
  const onChange = onChangeOf(section)
  const said = section.isSaid && { isSaid: section.isSaid }
  return { key: id, kind: "section", target: id, candidate, onChange, digest, ...said }
}

/** Sections with freshness `update` whose text differs from what the model was last told. */
export function headUpdates(head: HeadState, moment: Moment, kit: Kit): readonly Item[] {
  const known = sentSections(moment)
  if (head.changes.length === 0 && !Object.keys(known).some((key) => key.startsWith("head:"))) return []
  const changes = new Map(head.changes.map((change) => [change.id, change]))
  return head.candidates.flatMap((own): Item[] => {
    const { edited, source } = own
    const { section } = edited
    const target = section.id
    const key = `head:${target}`
    const change = changes.get(target)
    if (change?.why === "unavailable" || !(change?.how === "append" || key in known)) return []
    if (source === undefined) return isSameTurn(moment) ? [] : [ending(key, edited, kit)]
    const { parts, patch } = shortestUpdate(own, source, { head, key, moment }, kit)
    const content: Content = { parts }
    const update: Section = {
      ...section,
      pace: "turn",
      priority: "high",
      cut: "whole",
      room: "head",
      content,
    }
    // No second gate: the text passed the gate as part of the head.
    const candidate = tell(
      { edited: { ...edited, section: update }, gated: { content, hidden: [] }, key, target },
      kit,
    )
    return [{ key, kind: "update", target, candidate, onChange: "turn", digest: source.digest, patch }]
  })
}

interface ToldIn {
  readonly head: HeadState
  readonly key: string
  readonly moment: Moment
}

interface Chosen {
  readonly parts: readonly TextPart[]
  readonly patch: Patch
}

/** An update is told in one turn, but every later step checks for another, so the choice is cached. */
const CHOSEN = new WeakMap<
  Written,
  Chosen & { readonly baseline: Baseline; readonly before: Patch | undefined }
>()

function shortestUpdate(own: Candidate, source: Signed, { head, key, moment }: ToldIn, kit: Kit): Chosen {
  const { baseline } = head
  const { id, bare } = own.edited.section
  const before = patchIn(moment, key)
  const known = CHOSEN.get(source)
  if (known?.baseline === baseline && known.before === before) return known
  const entry = baseline.entries.find((one) => one.id === id)
  // Compare a cut text as it would be cut now, because the rest of it was never told.
  const cut = entry?.outcome.kind === "truncated" ? formWithin(own, entry.outcome.to, kit) : undefined
  const now = cut ?? source
  const { forms, patch } = updateOf({
    baseline: baselineText(baseline, id),
    patch: before,
    now,
    bare: bare === true,
  })
  const tokens = (parts: readonly TextPart[]) =>
    kit.writeOnce({ id: key, envelope: updateEnvelope(id) }, parts)?.tokens ?? 0
  const priced = forms.map((parts) => ({ parts, tokens: tokens(parts) }))
  const { parts } = priced.reduce((best, form) => (form.tokens < best.tokens ? form : best))
  CHOSEN.set(source, { parts, patch, baseline, before })
  return { parts, patch }
}

/** Edits of text that is slower than the edit. */
export function editUpdates(edits: readonly KeyedEdit[], head: HeadState, kit: Kit): readonly Item[] {
  return edits.flatMap(({ edit, update: content, key }): Item[] => {
    if (content === undefined) return []
    const target = targetOf(edit)
    // An audience that may not see the section must not learn about a change to it.
    const own = head.candidates.find(({ edited }) => edited.section.id === target)?.edited.section.trust
    const trust = mostOf(edit.trust ?? "public", own ?? "public")
    const section: Section = { id: target, pace: "turn", priority: "high", trust, cut: "lines", content }
    const candidate = tell(
      { edited: { section, by: [edit.by] }, gated: gate(section, head.view), key, target },
      kit,
    )
    return [{ key, kind: "edit", target, candidate, onChange: "turn", digest: candidate.source?.digest }]
  })
}

/**
 * The items, plus a line for each text that was told and no longer applies. Within a turn, only items with freshness
 * `step` can end. Items with freshness `always` describe one turn only, so they need no ending.
 */
export function withEndings(items: readonly Item[], moment: Moment, kit: Kit): readonly Item[] {
  const sent = new Set(Object.keys(sentSections(moment)).filter((key) => !key.startsWith("head:")))
  const mayEnd = (onChange: OnChange) => onChange !== "always" && (!isSameTurn(moment) || onChange === "step")
  const ended = items.map((item) => {
    const isOver = sent.delete(item.key) && item.candidate.whole === undefined && mayEnd(item.onChange)
    return isOver ? ending(item.key, item.candidate.edited, kit) : item
  })
  const gone = mayEnd("turn") ? [...sent].map((key) => ending(key, nobodys(key), kit)) : []
  return [...ended, ...gone]
}

function ending(key: string, edited: Edited, kit: Kit): Item {
  const kind = key.startsWith("edit:") ? "edit" : key.startsWith("head:") ? "update" : "section"
  const section: Section = { ...edited.section, priority: "required", cut: "whole", content: ENDED }
  const gated = { content: ENDED, hidden: [] }
  const candidate = tell(
    { edited: { ...edited, section }, gated, key: `ended:${key}`, target: section.id },
    kit,
  )
  return { key, kind, target: section.id, candidate, onChange: "step", digest: undefined, ends: true }
}

/** A section or edit that was told and no longer has an author. */
function nobodys(key: string): Edited {
  const id = key.slice(key.lastIndexOf(":") + 1)
  return {
    section: { id, pace: "turn", priority: "required", trust: "public", cut: "whole", content: undefined },
    by: [],
  }
}

interface Telling extends Pick<Candidate, "edited" | "gated"> {
  readonly key: string
  /** The id of the section that the text is about. */
  readonly target: string
}

function tell({ edited, gated, key, target }: Telling, kit: Kit): Candidate {
  const writable = { id: key, envelope: updateEnvelope(target) }
  return candidateOf({ edited, gated, writable, present: new Map() }, kit)
}
