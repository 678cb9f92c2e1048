// A step: the existing head, and the tail for this turn. What the conversation already contains is not repeated.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Digest } from "../../base/digest.ts"
import type { Patch } from "../../base/text/line-diff.ts"
import { candidatesOf, type Kit, outOf } from "../compile/candidate.ts"
import { editEntryOf, entryOf, type KeyedEdit, keyEdits, roomFindings } from "../compile/entry.ts"
import { reportBudget } from "../fit/budget.ts"
import { isSameTurn, type Moment, type Sent, sentSections } from "../layout/tail.ts"
import { layOutTail, type TailBlock } from "../layout/tail-block.ts"
import { editUpdates, headUpdates, type Item, sectionItem, timing, withEndings } from "../layout/tail-item.ts"
import { applyEdits, type Edit, type Edited } from "../model/edit.ts"
import type { Entry, Outcome } from "../model/plan.ts"
import type { Profile } from "../model/profile.ts"
import { makePrompt, type Prompt } from "../model/prompt.ts"
import type { Turn } from "../model/scope.ts"
import { builtSection } from "../model/section.ts"
import { uniqueHidden } from "../view/view.ts"
import type { HeadState } from "./head.ts"

export interface StepOptions {
  /** The size of the conversation, in the model's tokens. */
  readonly conversationTokens?: number
  /** `told` of the previous prompt. Absent at the start of a session. */
  readonly sent?: Sent
  /** Edits by hooks that run every turn. */
  readonly edits?: readonly Edit[]
}

export interface StepInput {
  readonly head: HeadState
  readonly turn: Turn
  readonly options: StepOptions
}

export function buildStep(profile: Profile, kit: Kit, { head, turn, options }: StepInput): Prompt {
  const { conversationTokens = 0 } = options
  const moment: Moment = { sent: options.sent, epoch: head.baseline.epoch, turn: turn.id }
  const edited = editTurn(profile, head, turn, options.edits ?? [])
  const edits = keyEdits([...head.edits, ...edited.results])
  const sections = candidatesOf(edited.sections, head.view, kit, head.present).map(sectionItem)
  const updates = [...headUpdates(head, moment, kit), ...editUpdates(edits, head, kit)]
  const items = withEndings([...updates, ...sections], moment, kit)
  const now = items.filter((item) => item.candidate.whole !== undefined && timing(item, moment) === "now")
  const tail = layOutTail(now, head, conversationTokens, kit)
  const spoken = items.map((item) => ({ item, entry: tailEntry(item, tail, moment) }))
  const plan = {
    profile: profile.name,
    model: head.baseline.model,
    audience: head.view.session.audience,
    budget: reportBudget(head.limits, {
      headTokens: head.tokens,
      tailTokens: tail.block?.tokens ?? 0,
      tailLimit: tail.limit,
      conversationTokens,
      counter: kit.counter.name,
    }),
    entries: [
      ...head.toolset.entries,
      ...withUpdates(head.entries, spoken),
      ...spoken.filter(({ item }) => item.kind === "section").map(({ entry }) => entry),
      ...tail.envelope,
      ...editEntries(edits, spoken),
    ],
    blocks: tail.block === undefined ? head.blocks : [...head.blocks, tail.block],
    hidden: uniqueHidden([...head.hidden, ...sections.flatMap(({ candidate }) => candidate.gated.hidden)]),
    diagnostics: [
      ...head.diagnostics,
      ...edited.diagnostics,
      ...diagnostics(sections),
      ...notTold(spoken),
      ...roomFindings(spoken.flatMap(({ item, entry }) => (item.kind === "section" ? [entry] : []))),
      ...tail.diagnostics,
    ],
  }
  const sent = sentAfter(
    tail,
    items.filter(({ isSaid }) => isSaid),
    moment,
  )
  return makePrompt({ plan, tools: head.toolset.tools, head: head.blocks, tail: tail.block, sent })
}

function editTurn(profile: Profile, head: HeadState, turn: Turn, edits: readonly Edit[]) {
  const { agent, session } = head.view
  const built = profile.sections.flatMap((spec): Edited[] => {
    if (spec.pace !== "turn") return []
    return [{ section: builtSection(spec, spec.build({ agent, session, turn })), by: [] }]
  })
  const all = [...head.turn.edits, ...edits]
  const slower = all.length === 0 ? [] : head.candidates.map(({ edited }) => edited.section)
  return applyEdits([...built, ...head.turn.sections], all, "turn", slower)
}

interface Spoken {
  readonly item: Item
  readonly entry: Entry
}

function tailEntry(item: Item, tail: TailBlock, moment: Moment): Entry {
  const { candidate } = item
  const result = tail.results.get(item)
  const spans = new Map([[candidate.edited.section.id, tail.spans.get(item.key) ?? []]])
  return entryOf(
    { candidate, outcome: outcomeOf(item, result?.outcome, moment), written: result?.written },
    spans,
  )
}

function outcomeOf(item: Item, fitted: Outcome | undefined, moment: Moment): Outcome {
  if (item.ends) return { kind: "ended" }
  if (fitted !== undefined) return fitted
  if (item.candidate.whole === undefined) return outOf(item.candidate)
  const isLater = timing(item, moment) === "later"
  return isLater
    ? { kind: "unused", why: "changed within the turn; told at the next" }
    : { kind: "unchanged" }
}

/** A change to the head is listed under the head's own entry. */
function withUpdates(head: readonly Entry[], spoken: readonly Spoken[]): readonly Entry[] {
  const updates = new Map(
    spoken.filter(({ item }) => item.kind === "update").map((one) => [one.item.target, one]),
  )
  if (updates.size === 0) return head
  return head.map((entry) => {
    const update = updates.get(entry.id)
    const kind = update?.entry.outcome.kind
    if (update === undefined || (kind !== "included" && kind !== "truncated" && kind !== "unchanged"))
      return entry
    const outcome = entry.spans.length === 0 ? update.entry.outcome : entry.outcome
    const spans = [...entry.spans, ...update.entry.spans]
    return { ...entry, outcome, sent: update.item.digest, tokens: entry.tokens + update.entry.tokens, spans }
  })
}

/** One entry per edit, plus one for each earlier edit that was told and is no longer made. */
function editEntries(edits: readonly KeyedEdit[], spoken: readonly Spoken[]): readonly Entry[] {
  const sent = new Map(
    spoken.filter(({ item }) => item.kind === "edit").map(({ item, entry }) => [item.key, entry]),
  )
  const asEdit = (id: string, entry: Entry): Entry => ({ ...entry, kind: "edit", id })
  const made = edits.map((edit) => {
    const update = sent.get(edit.key)
    sent.delete(edit.key)
    return update === undefined ? editEntryOf(edit) : asEdit(edit.key, update)
  })
  return [...made, ...[...sent].map(([key, entry]) => asEdit(key, entry))]
}

function diagnostics(sections: readonly Item[]): readonly Diagnostic[] {
  return sections.flatMap(({ candidate }) => candidate.gated.content?.diagnostics ?? [])
}

function notTold(spoken: readonly Spoken[]): readonly Diagnostic[] {
  return spoken.flatMap(({ item, entry }): Diagnostic[] => {
    if (item.kind === "section" || entry.outcome.kind !== "dropped") return []
    const tokens = item.candidate.whole?.tokens ?? 0
    return [{ code: "update-not-told", id: item.target, tokens, needs: entry.trust }]
  })
}

/** Records what was told now. What was dropped keeps its previous digest, so it is tried again. */
function sentAfter(tail: TailBlock, said: readonly Item[], moment: Moment): Sent {
  const known = sentSections(moment)
  const unknown = said.filter(({ key, digest }) => digest !== undefined && known[key] !== digest)
  // Returns the same object, so that the next step of the turn is recognised as unchanged.
  const isSame = tail.block === undefined && unknown.length === 0 && isSameTurn(moment)
  if (moment.sent !== undefined && isSame) return moment.sent
  const sections: Record<string, Digest> = { ...known }
  for (const { key, digest } of unknown) if (digest !== undefined) sections[key] = digest
  const patches: Record<string, Patch> = moment.sent?.epoch === moment.epoch ? { ...moment.sent.patches } : {}
  for (const [item, { written }] of tail.results) {
    if (written === undefined) continue
    delete patches[item.key]
    if (item.ends) delete sections[item.key]
    else if (item.digest !== undefined) sections[item.key] = item.digest
    if (item.patch !== undefined) patches[item.key] = item.patch
  }
  const { epoch, turn } = moment
  return { epoch, turn, sections, ...(Object.keys(patches).length > 0 && { patches }) }
}
