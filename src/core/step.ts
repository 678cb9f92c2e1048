// A step: the head as it stands, and the tail for this turn. Changes to the head that are told, turn sections
// that changed, and one line for each that ended; what the conversation already holds is not said again.
import { inCountedTokens, overBudget, reportBudget, tailLimit } from "./budget.ts"
import {
  type Candidate,
  candidateOf,
  candidatesOf,
  fitCandidates,
  type Kit,
  outOf,
  type Result,
} from "./candidate.ts"
import type { Content } from "./content.ts"
import type { Diagnostic } from "./diagnostic.ts"
import type { Digest } from "./digest.ts"
import { applyEdits, type Edit, type Edited, targetOf } from "./edit.ts"
import { editEntryOf, entryOf, type KeyedEdit, keyEdits } from "./entry.ts"
import { baselineText, updateForms } from "./epoch.ts"
import { gate } from "./gate.ts"
import type { HeadState } from "./head.ts"
import { addSpans } from "./layout.ts"
import { TAIL_ENVELOPE, updateEnvelope } from "./markup.ts"
import type { Block, Entry, Outcome, Span } from "./plan.ts"
import type { Profile } from "./profile.ts"
import { makePrompt, type Prompt } from "./prompt.ts"
import type { Turn } from "./scope.ts"
import { type Freshness, freshnessOf, type Section } from "./section.ts"
import { isSameTurn, type Moment, type Told, toldSections, whenToTell } from "./tail.ts"
import { isRun } from "./written.ts"

export interface StepOptions {
  /** What the conversation takes, in the model's tokens. */
  readonly conversationTokens?: number
  /** From the prompt before; nothing at the start of a session. */
  readonly told?: Told
  /** Edits of hooks that run with every turn. */
  readonly edits?: readonly Edit[]
}

/** Something the tail may have to say. `key` is its name in `Told`. */
interface Item {
  readonly key: string
  readonly kind: "section" | "update" | "edit"
  readonly target: string
  readonly candidate: Candidate
  readonly freshness: Freshness
  readonly digest: Digest | undefined
}

const ENDED_TEXT: Content = { parts: [{ text: "This no longer applies." }] }

export function buildStep(
  profile: Profile,
  kit: Kit,
  head: HeadState,
  turn: Turn,
  options: StepOptions,
): Prompt {
  const { conversationTokens = 0 } = options
  const moment: Moment = { told: options.told, epoch: head.baseline.epoch, turn: turn.id }
  const edited = editTurn(profile, head, turn, options.edits ?? [])
  const sections = candidatesOf(edited.sections, head.view, kit).map(asItem)
  const edits = keyEdits([...head.edits, ...edited.results])
  const updates = [...headUpdates(head, moment, kit), ...editUpdates(edits, head, kit)]
  const ended = endedItems([...updates, ...sections], moment, head, kit)
  const items = [...updates, ...sections, ...ended]
  const chosen = items.filter((item) => item.candidate.whole !== undefined && timing(item, moment) === "now")
  const tail = fitTail(chosen, kit, head, conversationTokens)
  const results = new Map(chosen.map((item, at) => [item, tail.results[at]]))
  const entries = tailEntries(items, results, tail, moment)
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
      ...withUpdates(head.entries, entries),
      ...entries.filter(({ item }) => item.kind === "section").map(({ entry }) => entry),
      ...tail.envelope,
      ...editEntries(edits, entries),
    ],
    blocks: tail.block === undefined ? head.blocks : [...head.blocks, tail.block],
    hidden: [...head.hidden, ...sections.flatMap(({ candidate }) => candidate.gated.hidden)],
    diagnostics: [
      ...head.diagnostics,
      ...edited.diagnostics,
      ...sections.flatMap(findings),
      ...notTold(entries),
      ...tail.diagnostics,
    ],
  }
  const told = toldAfter(results, moment)
  return makePrompt({ plan, tools: head.toolset.tools, head: head.blocks, tail: tail.block, told })
}

function editTurn(profile: Profile, head: HeadState, turn: Turn, edits: readonly Edit[]) {
  const { agent, session } = head.view
  const built: Edited[] = []
  for (const spec of profile.sections) {
    if (spec.pace === "turn")
      built.push({ section: { ...spec, content: spec.build({ agent, session, turn }) }, by: [] })
  }
  const slower = head.candidates.map(({ edited }) => edited.section)
  return applyEdits([...built, ...head.turn.sections], [...head.turn.edits, ...edits], "turn", slower)
}

function asItem(candidate: Candidate): Item {
  const { section } = candidate.edited
  return {
    key: section.id,
    kind: "section",
    target: section.id,
    candidate,
    freshness: freshnessOf(section),
    digest: candidate.whole?.digest,
  }
}

/** Sections of the head whose text is no longer what the model was last told, and whose freshness is `update`. */
function headUpdates(head: HeadState, moment: Moment, kit: Kit): readonly Item[] {
  const known = toldSections(moment)
  const changed = new Set(head.changes.flatMap(({ id, how }) => (how === "update" ? [id] : [])))
  return head.candidates.flatMap((candidate): Item[] => {
    const { section } = candidate.edited
    const key = `head:${section.id}`
    const now = candidate.whole
    if (now === undefined || !(changed.has(section.id) || key in known)) return []
    const { whole, lines } = updateForms(baselineText(head.baseline, section.id), now, section.bare === true)
    const content: Content = { parts: whole, shorter: [{ parts: lines }] }
    const update = updateCandidate(candidate.edited, section.id, key, content, kit)
    return [
      { key, kind: "update", target: section.id, candidate: update, freshness: "turn", digest: now.digest },
    ]
  })
}

/** Edits of text that is slower than they are. */
function editUpdates(results: readonly KeyedEdit[], head: HeadState, kit: Kit): readonly Item[] {
  return results.flatMap(({ edit, update, key }): Item[] => {
    if (update === undefined) return []
    const target = targetOf(edit)
    const section = editSection(target, edit, update)
    const gated = gate(section, head.view)
    const edited = { section, by: [edit.by] }
    const writable = { id: key, envelope: updateEnvelope(target) }
    const candidate = candidateOf(edited, gated, writable, new Map(), kit)
    return [{ key, kind: "edit", target, candidate, freshness: "turn", digest: candidate.whole?.digest }]
  })
}

function editSection(id: string, edit: Edit, content: Content): Section {
  return { id, pace: "turn", need: "high", trust: edit.trust ?? "public", cut: "lines", content }
}

function updateCandidate(edited: Edited, target: string, key: string, content: Content, kit: Kit): Candidate {
  const section: Section = { ...edited.section, pace: "turn", need: "high", cut: "lines", content }
  const writable = { id: key, envelope: updateEnvelope(target) }
  return candidateOf({ ...edited, section }, { content, hidden: [] }, writable, new Map(), kit)
}

/** Texts that were told and are over. Within a turn only those that are fresh by the step are taken back. */
function endedItems(items: readonly Item[], moment: Moment, head: HeadState, kit: Kit): readonly Item[] {
  const alive = new Set(items.flatMap(({ key, candidate }) => (candidate.whole === undefined ? [] : [key])))
  const gone = Object.keys(toldSections(moment)).filter((key) => !alive.has(key) && !key.startsWith("head:"))
  return gone.flatMap((key): Item[] => {
    const item = items.find((other) => other.key === key)
    const freshness = item?.freshness ?? "turn"
    if (isSameTurn(moment) && freshness !== "step") return []
    const kind = key.startsWith("edit:") ? "edit" : "section"
    const target = kind === "edit" ? key.slice(key.lastIndexOf(":") + 1) : key
    const section: Section = {
      id: target,
      pace: "turn",
      need: "required",
      trust: "public",
      cut: "whole",
      content: ENDED_TEXT,
    }
    const writable = { id: `ended:${key}`, envelope: updateEnvelope(target) }
    const candidate = candidateOf({ section, by: [] }, gate(section, head.view), writable, new Map(), kit)
    return [{ key: `ended:${key}`, kind, target, candidate, freshness: "step", digest: undefined }]
  })
}

function isEnding(item: Item): boolean {
  return item.key.startsWith("ended:")
}

function timing(item: Item, moment: Moment): "now" | "later" | "told" {
  if (isEnding(item)) return "now"
  if (item.digest === undefined) return "told"
  return whenToTell(item.key, item.digest, item.freshness, moment)
}

interface Tail {
  readonly block: Block | undefined
  readonly results: readonly Result[]
  readonly spans: ReadonlyMap<string, readonly Span[]>
  readonly envelope: readonly Entry[]
  readonly limit: number
  readonly diagnostics: readonly Diagnostic[]
}

function fitTail(items: readonly Item[], kit: Kit, head: HeadState, conversationTokens: number): Tail {
  const limit = tailLimit(head.limits, head.tokens, conversationTokens)
  const frame = kit.counter.count(TAIL_ENVELOPE.open) + kit.counter.count(TAIL_ENVELOPE.close)
  const room = inCountedTokens(limit, head.limits.ratio)
  const fitted = fitCandidates(
    items.map(({ candidate }) => candidate),
    Math.max(0, room - frame),
    head.limits.shares,
    kit,
  )
  const required = fitted.requiredTokens
  const diagnostics = overBudget("tail", limit, required && required + frame, head.limits.ratio)
  const spans = new Map<string, Span[]>()
  const at = head.blocks.length
  let text = TAIL_ENVELOPE.open
  let tokens = frame
  for (const [index, { written }] of fitted.results.entries()) {
    for (const run of written?.items.filter(isRun) ?? []) {
      addSpans(spans, items[index]?.key ?? "", run.parts, at, text.length)
      text += run.text
      tokens += run.tokens
    }
  }
  if (spans.size === 0)
    return { block: undefined, results: fitted.results, spans, envelope: [], limit, diagnostics }
  const envelope = envelopeEntry(frame, at, text.length)
  const block: Block = {
    placement: "tail",
    pace: "turn",
    text: text + TAIL_ENVELOPE.close,
    tokens,
    breakpoint: undefined,
  }
  return { block, results: fitted.results, spans, envelope: [envelope], limit, diagnostics }
}

function envelopeEntry(tokens: number, block: number, inside: number): Entry {
  const spans = [
    { block, start: 0, end: TAIL_ENVELOPE.open.length },
    { block, start: inside, end: inside + TAIL_ENVELOPE.close.length },
  ]
  const facts = {
    kind: "envelope",
    id: "turn-context",
    pace: "turn",
    need: "required",
    trust: "public",
  } as const
  return { ...facts, outcome: { kind: "kept" }, tokens, spans, told: undefined, current: undefined, by: [] }
}

interface TailEntry {
  readonly item: Item
  readonly entry: Entry
}

function tailEntries(
  items: readonly Item[],
  results: ReadonlyMap<Item, Result | undefined>,
  tail: Tail,
  moment: Moment,
): readonly TailEntry[] {
  const endings = new Map(items.filter(isEnding).map((item) => [item.key, item]))
  return items.flatMap((item): TailEntry[] => {
    const ending = endings.get(`ended:${item.key}`)
    const spoken = ending ?? item
    const result = results.get(spoken)
    const outcome =
      result === undefined ? silentOutcome(item, moment) : isEnding(spoken) ? ENDED : result.outcome
    const spans = new Map([[item.candidate.edited.section.id, tail.spans.get(spoken.key) ?? []]])
    const hasOwn = isEnding(item) && items.some((other) => `ended:${other.key}` === item.key)
    return hasOwn
      ? []
      : [{ item, entry: entryOf({ candidate: item.candidate, outcome, written: result?.written }, spans) }]
  })
}

const ENDED: Outcome = { kind: "ended" }

function silentOutcome(item: Item, moment: Moment): Outcome {
  if (item.candidate.whole === undefined) return outOf(item.candidate)
  return timing(item, moment) === "later"
    ? { kind: "absent", why: "changed within the turn; told at the next" }
    : { kind: "told" }
}

/** A change to the head is told under the head's own entry. */
function withUpdates(head: readonly Entry[], tail: readonly TailEntry[]): readonly Entry[] {
  const updates = new Map(
    tail.flatMap(({ item, entry }) =>
      item.kind === "update" ? [[item.target, { item, entry }] as const] : [],
    ),
  )
  if (updates.size === 0) return head
  return head.map((entry) => {
    const update = updates.get(entry.id)
    if (update === undefined) return entry
    const { outcome, spans, tokens } = update.entry
    if (outcome.kind !== "kept" && outcome.kind !== "cut" && outcome.kind !== "told") return entry
    const seen = entry.spans.length === 0 ? outcome : entry.outcome
    return {
      ...entry,
      outcome: seen,
      told: update.item.digest,
      tokens: entry.tokens + tokens,
      spans: [...entry.spans, ...spans],
    }
  })
}

function editEntries(results: readonly KeyedEdit[], tail: readonly TailEntry[]): readonly Entry[] {
  const told = new Map(
    tail.flatMap(({ item, entry }) => (item.kind === "edit" ? [[item.key, entry] as const] : [])),
  )
  const made = results.map((result): Entry => {
    const id = result.key
    const update = told.get(id)
    told.delete(id)
    return update === undefined ? editEntryOf(result) : { ...update, kind: "edit", id }
  })
  return [
    ...made,
    ...[...told].map(([id, entry]): Entry => ({ ...entry, kind: "edit", id: id.replace(/^ended:/, "") })),
  ]
}

function notTold(entries: readonly TailEntry[]): readonly Diagnostic[] {
  return entries.flatMap(({ item, entry }): Diagnostic[] => {
    if (item.kind === "section" || entry.outcome.kind !== "dropped") return []
    return [
      {
        code: "update-not-told",
        id: item.target,
        tokens: item.candidate.whole?.tokens ?? 0,
        needs: entry.trust,
      },
    ]
  })
}

function findings({ candidate }: Item): readonly Diagnostic[] {
  return candidate.gated.content?.diagnostics ?? []
}

/** What was said now is told; what was dropped stays as it was known, and is tried again. */
function toldAfter(results: ReadonlyMap<Item, Result | undefined>, moment: Moment): Told {
  const sections: Record<string, Digest> = { ...toldSections(moment) }
  for (const [item, result] of results) {
    if (result?.written === undefined) continue
    if (isEnding(item)) delete sections[item.key.slice("ended:".length)]
    else if (item.digest !== undefined) sections[item.key] = item.digest
  }
  return { epoch: moment.epoch, turn: moment.turn, sections }
}
