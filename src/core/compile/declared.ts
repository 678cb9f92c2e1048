// A step of a profile in declared order: all text is head, whatever its pace, and there is no tail. The plan reports
// the first text that changes with the turn, and what that costs the cache.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { headTokens } from "../epoch/epoch.ts"
import type { HeadState } from "../epoch/head.ts"
import type { StepInput } from "../epoch/step.ts"
import { inCountedTokens, inModelTokens, overBudget, reportBudget } from "../fit/budget.ts"
import { layOutHead } from "../layout/layout.ts"
import { applyEdits, type Edit, type Edited, type EditResult, targetOf } from "../model/edit.ts"
import type { Profile } from "../model/profile.ts"
import { makePrompt, type Prompt } from "../model/prompt.ts"
import type { Turn } from "../model/scope.ts"
import { builtSection } from "../model/section.ts"
import { uniqueHidden } from "../view/view.ts"
import { type Candidate, candidatesOf, fitCandidates, fitSettled, type Kit } from "./candidate.ts"
import { editEntryOf, entryOf, keyEdits, placedOf, roomFindings } from "./entry.ts"

export function buildDeclared(profile: Profile, kit: Kit, { head, turn, options }: StepInput): Prompt {
  const { limits, toolset, view, baseline, ttl } = head
  const edits = [...head.turn.edits, ...(options.edits ?? [])]
  // Nothing here is slower than a turn, so every edit changes its target directly.
  const edited = applyEdits(inOrder(profile, head, turn), profile.sealed ? [] : edits, "stable", [])
  const refused = profile.sealed ? edits.map(refusedEdit) : []
  const candidates = candidatesOf(edited.sections, view, kit)
  const reckoned = limitOf(profile, head, candidates, options.conversationTokens ?? 0)
  const limit = inCountedTokens(reckoned.room, limits.ratio)
  const how = profile.room === undefined ? ({ by: "order" } as const) : "tiers"
  const { results, requiredTokens } = fitSettled(candidates, kit, (settled) =>
    fitCandidates(settled, { limit, shares: limits.shares, how }, kit),
  )
  const recount = profile.markup.additive ? {} : { recount: kit.counter.count }
  const { blocks, spans, diagnostics } = layOutHead(placedOf(results), { order: "declared", ttl, ...recount })
  const entries = results.map((result) => entryOf(result, spans))
  const plan = {
    profile: profile.name,
    model: baseline.model,
    audience: view.session.audience,
    budget: reportBudget(
      { ...limits, head: reckoned.head },
      {
        headTokens: headTokens({ blocks }),
        tailTokens: 0,
        tailLimit: 0,
        conversationTokens: options.conversationTokens ?? 0,
        counter: kit.counter.name,
      },
    ),
    entries: [...toolset.entries, ...entries, ...keyEdits([...edited.results, ...refused]).map(editEntryOf)],
    blocks,
    hidden: uniqueHidden([...head.hidden, ...candidates.flatMap(({ gated }) => gated.hidden)]),
    diagnostics: [
      ...head.diagnostics,
      ...edited.diagnostics,
      ...refused.map(({ edit }) => sealed(edit, profile)),
      ...candidates.flatMap(({ gated }) => gated.content?.diagnostics ?? []),
      ...diagnostics,
      ...overBudget(
        "head",
        limits.head,
        requiredTokens ?? requiredOver(profile, head, candidates),
        limits.ratio,
      ),
      ...roomFindings(entries),
    ],
  }
  const sent = { epoch: baseline.epoch, turn: turn.id, sections: {} }
  return makePrompt({ plan, tools: toolset.tools, head: blocks, tail: undefined, sent })
}

/** All in the model's tokens. */
interface Reckoned {
  /** The room for text that the profile's `RoomPolicy` shares out; without one, for the whole head. */
  readonly room: number
  /** The limit of the whole head. */
  readonly head: number
}

/** The head's limit, or the room that the profile calculates itself. An explicit limit also applies to that room. */
function limitOf(
  { room }: Profile,
  { limits }: HeadState,
  candidates: readonly Candidate[],
  conversation: number,
): Reckoned {
  const { window, reserve, tools, ratio, isHeadSet, head } = limits
  if (room === undefined) return { room: head, head }
  const slow = inModelTokens(
    wholeTokens(candidates.filter(({ edited }) => edited.section.pace === "stable")),
    ratio,
  )
  const own = room({ window, reserve, conversation, stable: slow + tools })
  return isHeadSet ? { room: Math.min(own, Math.max(0, head - slow)), head } : { room: own, head: slow + own }
}

/** Tiers keep required text whole, so report its size if it breaks a limit that was set explicitly. */
function requiredOver(
  { room }: Profile,
  { limits }: HeadState,
  candidates: readonly Candidate[],
): number | undefined {
  if (room === undefined || !limits.isHeadSet) return undefined
  const required = wholeTokens(candidates.filter(({ edited }) => edited.section.priority === "required"))
  return inModelTokens(required, limits.ratio) > limits.head ? required : undefined
}

function wholeTokens(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { whole }) => sum + (whole?.tokens ?? 0), 0)
}

function refusedEdit(edit: Edit): EditResult {
  return { edit, outcome: { kind: "unused", why: "edit-of-sealed" } }
}

function sealed(edit: Edit, { name }: Profile): Diagnostic {
  return { code: "edit-of-sealed", by: edit.by, id: targetOf(edit), profile: name }
}

function inOrder(profile: Profile, { view, sections }: HeadState, turn: Turn): readonly Edited[] {
  const { agent, session } = view
  const slow = new Map(sections.map((edited) => [edited.section.id, edited]))
  return profile.sections.flatMap((spec): Edited[] => {
    if (spec.pace === "turn")
      return [{ section: builtSection(spec, spec.build({ agent, session, turn })), by: [] }]
    const built = slow.get(spec.id)
    return built === undefined ? [] : [built]
  })
}
