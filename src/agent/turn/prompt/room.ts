// How much room a turn's window has, and what takes it.
import { headTokens } from "../../../core/epoch/epoch.ts"
import { inModelTokens } from "../../../core/fit/budget.ts"
import { toolTokens } from "../../../core/model/toolset.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { Work } from "../work.ts"

/**
 * Share of the room for head, tools and conversation from which it counts as full and the conversation is compacted.
 */
export const FULL = 0.85

/** In the model's tokens. */
export function roomOf(work: Work) {
  const { agent, session, budget } = work.gathered
  const { window, reserve, ratio } = budget
  const factor = work.baseline?.ratio.factor ?? ratio?.factor ?? 1
  const head = work.baseline === undefined ? 0 : headTokens(work.baseline)
  // The turn's first step has no prompt yet, but its tools take as much as those of any other.
  const tools =
    work.prompt?.plan.budget.tools ??
    inModelTokens(toolTokens(agent, { trust: session.audience.trust, counter: o200k }), {
      factor,
      exact: false,
    })
  const conversation = work.conversation.tokens(work.conversation.messagesOf(work.items), factor)
  const fixed = inModelTokens(head, { factor, exact: false }) + tools
  return { room: window - reserve, factor, fixed, taken: fixed + conversation }
}
