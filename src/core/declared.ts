// A step of a profile that keeps its declared order: everything is head, whatever its pace, and there is no tail.
// The plan says where the first text stands that moves with the turn, and what that costs the cache.
import { inCountedTokens, overBudget, reportBudget } from "./budget.ts"
import { candidatesOf, fitCandidates, type Kit } from "./candidate.ts"
import { applyEdits, type Edited } from "./edit.ts"
import { editEntryOf, entryOf, keyEdits, placedOf } from "./entry.ts"
import type { HeadState } from "./head.ts"
import { layOutHead } from "./layout.ts"
import type { Profile } from "./profile.ts"
import { makePrompt, type Prompt } from "./prompt.ts"
import type { Turn } from "./scope.ts"
import type { StepOptions } from "./step.ts"

export function buildDeclared(
  profile: Profile,
  kit: Kit,
  head: HeadState,
  turn: Turn,
  options: StepOptions,
): Prompt {
  const { limits, toolset, view, baseline } = head
  // Nothing here is slower than a turn, so an edit takes effect where it is aimed at.
  const edited = applyEdits(
    inOrder(profile, head, turn),
    [...head.turn.edits, ...(options.edits ?? [])],
    "stable",
    [],
  )
  const candidates = candidatesOf(edited.sections, view, kit)
  const limit = inCountedTokens(limits.head, limits.ratio)
  const { results, requiredTokens } = fitCandidates(candidates, limit, limits.shares, kit)
  const laidOut = layOutHead(placedOf(results), { order: "declared", ttl: head.ttl })
  // Where sections run into each other their counts do not add up, so blocks are counted whole.
  const exact = (block: (typeof laidOut.blocks)[number]) => ({
    ...block,
    tokens: kit.counter.count(block.text),
  })
  const blocks = profile.markup.additive ? laidOut.blocks : laidOut.blocks.map(exact)
  const plan = {
    profile: profile.name,
    model: baseline.model,
    audience: view.session.audience,
    budget: reportBudget(limits, {
      headTokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
      tailTokens: 0,
      tailLimit: 0,
      conversationTokens: options.conversationTokens ?? 0,
      counter: kit.counter.name,
    }),
    entries: [
      ...toolset.entries,
      ...results.map((result) => entryOf(result, laidOut.spans)),
      ...keyEdits([...head.edits, ...edited.results]).map(editEntryOf),
    ],
    blocks,
    hidden: [...head.hidden, ...candidates.flatMap(({ gated }) => gated.hidden)],
    diagnostics: [
      ...head.diagnostics,
      ...edited.diagnostics,
      ...laidOut.diagnostics,
      ...overBudget("head", limits.head, requiredTokens, limits.ratio),
    ],
  }
  const told = { epoch: baseline.epoch, turn: turn.id, sections: {} }
  return makePrompt({ plan, tools: toolset.tools, head: blocks, tail: undefined, told })
}

/** The profile's own order, then what edits added. */
function inOrder(profile: Profile, head: HeadState, turn: Turn): readonly Edited[] {
  const { agent, session } = head.view
  const slow = new Map(head.candidates.map(({ edited }) => [edited.section.id, edited]))
  const listed = profile.sections.flatMap((spec): Edited[] => {
    if (spec.pace === "turn")
      return [{ section: { ...spec, content: spec.build({ agent, session, turn }) }, by: [] }]
    const built = slow.get(spec.id)
    slow.delete(spec.id)
    return built === undefined ? [] : [built]
  })
  return [...listed, ...slow.values(), ...head.turn.sections]
}
