// The longest answer that a step asks for: what the model can write, as far as the window has room for it.
import type { BudgetReport } from "../../core/budget.ts"
import { outputLimit } from "../../render/output-limit.ts"

/** Counts of a model whose tokenizer is not public may be too low by so much. */
const DOUBT = 1.1

/** Never less than the reserve, which is kept free for it; just that for a model that is not known. */
export function answerLimit(model: string, budget: BudgetReport): number {
  const { window, reserve, tools, head, tail, conversation, exact } = budget
  const taken = tools + head.used + tail.used + conversation
  const left = Math.floor(window - taken * (exact ? 1 : DOUBT))
  return Math.max(reserve, Math.min(outputLimit(model) ?? reserve, left))
}
