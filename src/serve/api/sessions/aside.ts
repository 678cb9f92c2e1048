// Questions that the agent asked beside a turn, such as a summary. Each has a receipt of its own, named after the turn and
// what it was for; its event is one of the turn.
import type { StepName } from "../../../record/ask/turn-diff.ts"

/** The turn, and what was asked beside it, if that is what the name says. */
export function asideOf(turn: string): { readonly turn: string; readonly purpose: string | undefined } {
  const at = turn.indexOf(".")
  return at === -1 ? { turn, purpose: undefined } : { turn: turn.slice(0, at), purpose: turn.slice(at + 1) }
}

export function isAside({ turn }: Pick<StepName, "turn">): boolean {
  return asideOf(turn).purpose !== undefined
}
