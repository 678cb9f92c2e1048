// The longest answer that a step asks for: what the model can write, limited by the room in the window.
import type { BudgetReport } from "../../core/fit/budget.ts"
import { outputLimit } from "../../render/formats/output-limit.ts"
import { FULL } from "../turn/prompt/room.ts"

/** What a request takes of the window, all in the model's tokens. */
export interface Taken {
  readonly window: number
  readonly reserve: number
  readonly taken: number
}

/** Never less than the reserve, which is kept free for it; exactly the reserve for an unknown model. */
export function answerLimit(model: string, { window, reserve, taken }: Taken): number {
  // The room left right before compaction, so that the limit stays the same from step to step.
  const steady = Math.floor(window - (window - reserve) * FULL)
  return Math.max(reserve, Math.min(outputLimit(model) ?? reserve, steady, Math.floor(window - taken)))
}

export function takenBy({ window, reserve, tools, head, tail, conversation }: BudgetReport): Taken {
  return { window, reserve, taken: tools + head.used + tail.used + conversation }
}
