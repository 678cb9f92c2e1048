// The layout of older systems: all text is head, in the order in which the profile declares it, and there is no tail.
// Nothing outlives a turn, so each step measures and places everything. The plan reports the first text that changes
// with the turn, and what that costs the cache.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { inCountedTokens, inModelTokens, overBudget } from "../fit/budget.ts"
import { fitSections, fitUntilSettled } from "../fit/fit-sections.ts"
import { buildTurnSections } from "../model/build-sections.ts"
import { applyEdits, type Edit, type EditResult, type EditsApplied, targetOf } from "../model/edit.ts"
import type { Profile } from "../model/profile.ts"
import type { Section } from "../model/section.ts"
import { tags } from "../write/markup.ts"
import type { Measured } from "../write/measure.ts"
import { headBlocks, type OwnedRun } from "./blocks.ts"
import { editEntryOf, entryOf, roomDiagnostics } from "./entry.ts"
import type {
  EditedHead,
  EditedStep,
  FittedStep,
  HeadEditOptions,
  Layout,
  PlacedStep,
  Step,
} from "./layout.ts"

export const declared: Layout = {
  headShare: 1,
  head: {
    edit: leaveToStep,
    fit: () => ({ sections: [], used: 0, requiredTokens: undefined }),
    place: () => ({ blocks: [], spans: new Map(), diagnostics: [] }),
  },
  step: { edit: editAll, fit: fitAll, place: placeAll },
}

function leaveToStep(built: readonly Section[], { edits }: HeadEditOptions): EditedHead {
  const all = [...(edits.stable ?? []), ...(edits.session ?? [])]
  return { sections: [], results: [], diagnostics: [], later: { sections: built, edits: all } }
}

/** Nothing here is slower than a turn, so every edit changes its target directly. */
function editAll(step: Step): EditsApplied {
  const { profile, head } = step
  const sections = inDeclaredOrder(step)
  const edits = [...head.later.edits, ...step.edits]
  if (!profile.sealed) return applyEdits(sections, edits, { pace: "stable" })
  return {
    sections,
    results: edits.map(refusedEdit),
    diagnostics: edits.map((edit) => sealed(edit, profile)),
  }
}

function inDeclaredOrder({ profile, head, turn }: Step): readonly Section[] {
  const { agent, session } = head.view
  const ofTurn = buildTurnSections(profile, { agent, session, turn })
  const built = new Map([...head.later.sections, ...ofTurn].map((section) => [section.id, section]))
  return profile.sections.flatMap(({ id }) => built.get(id) ?? [])
}

function refusedEdit(edit: Edit): EditResult {
  return { edit, outcome: { kind: "unused", why: { kind: "refused-edit", code: "edit-of-sealed" } } }
}

function sealed(edit: Edit, { name }: Profile): Diagnostic {
  return { code: "edit-of-sealed", by: edit.by, id: targetOf(edit), profile: name }
}

function fitAll(sections: readonly Measured[], step: EditedStep): FittedStep {
  const { profile, kit } = step
  const { limits } = step.head
  const { available, head } = limitOf(sections, step)
  const limit = inCountedTokens(available, limits.ratio)
  const how = profile.room === undefined ? ({ by: "order" } as const) : "tiers"
  const fitted = fitUntilSettled(sections, {
    fitAll: (settled) => fitSections(settled, { limit, shares: limits.shares, how, kit }),
    kit,
  })
  const required = fitted.requiredTokens ?? requiredOver(sections, step)
  return {
    sections: fitted.sections,
    limits: { head, tail: 0 },
    diagnostics: overBudget("head", { required, limit: limits.head, ratio: limits.ratio }),
  }
}

/** All in the model's tokens. */
interface Limit {
  /** The room for text that the profile's `RoomPolicy` shares out; without one, for the whole head. */
  readonly available: number
  /** The limit of the whole head. */
  readonly head: number
}

/** The head's limit, or the room that the profile calculates itself. An explicit limit also applies to that room. */
function limitOf(
  sections: readonly Measured[],
  { profile, head: state, conversationTokens }: EditedStep,
): Limit {
  const { window, reserve, tools, ratio, isHeadSet, head } = state.limits
  if (profile.room === undefined) return { available: head, head }
  const slow = wholeTokens(sections.filter(({ section }) => section.pace === "stable"))
  const stable = inModelTokens(slow, ratio)
  const own = profile.room({ window, reserve, conversation: conversationTokens, stable: stable + tools })
  return isHeadSet
    ? { available: Math.min(own, Math.max(0, head - stable)), head }
    : { available: own, head: stable + own }
}

/** Tiers keep required text whole, so report its size if it breaks a limit that was set explicitly. */
function requiredOver(sections: readonly Measured[], { profile, head }: EditedStep): number | undefined {
  const { limits } = head
  if (profile.room === undefined || !limits.isHeadSet) return undefined
  const required = wholeTokens(sections.filter(({ section }) => section.priority === "required"))
  return inModelTokens(required, limits.ratio) > limits.head ? required : undefined
}

function wholeTokens(sections: readonly Measured[]): number {
  return sections.reduce((sum, { whole }) => sum + (whole?.tokens ?? 0), 0)
}

function placeAll(fitted: FittedStep, { profile, head, moment, results, kit }: EditedStep): PlacedStep {
  const recount = (profile.markup ?? tags).additive ? {} : { recount: kit.counter.count }
  const { blocks, spans, diagnostics } = headBlocks(fitted.sections, {
    group: atFirstMove,
    ttl: head.ttl,
    ...recount,
  })
  const entries = fitted.sections.map((one) => entryOf(one, spans.get(one.measured.section.id)))
  return {
    head: blocks,
    tail: undefined,
    entries: [...entries, ...results.map(editEntryOf)],
    sent: { epoch: moment.epoch, turn: moment.turn, sections: {} },
    diagnostics: [...diagnostics, ...fitted.diagnostics, ...roomDiagnostics(entries)],
  }
}

/** The head is cacheable only up to the first text that changes with the turn. */
function atFirstMove(runs: readonly OwnedRun[]): readonly (readonly OwnedRun[])[] {
  const all = withoutFirstLead(runs)
  const first = all.findIndex(({ pace }) => pace === "turn")
  const groups = first === -1 ? [all] : [all.slice(0, first), all.slice(first)]
  return groups.filter((group) => group.length > 0)
}

/** The first section needs no separator before it. */
function withoutFirstLead(runs: readonly OwnedRun[]): readonly OwnedRun[] {
  const [first, ...rest] = runs
  if (first?.run.lead === undefined) return runs
  const { lead, text, parts, tokens } = first.run
  return [{ ...first, run: { text: text.slice(lead), parts: parts.slice(1), tokens } }, ...rest]
}
