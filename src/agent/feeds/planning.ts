// Plans within a turn: suggests plan mode for a message that looks like a larger piece of work, and saves a plan found
// in an answer as a file until it is approved.
import { readInput } from "../../core/model/section-input.ts"
import { signalInput } from "../../profiles/inputs.ts"
import type { Work } from "../turn/work.ts"
import { planFrom, shouldPropose } from "./plan-text.ts"
import { openPlans } from "./plans.ts"

export function suggestPlan({ turn, tell, waiting }: Work): void {
  // If reading messages is off, give no advice based on it.
  if (turn.planMode === true || readInput(turn, signalInput) === false) return
  if (shouldPropose(waiting.message.text)) tell({ kind: "plan-suggested" })
}

/** Does nothing if the answer holds no plan, or none was asked for. */
export function keepPlan({ runtime, session, turn, tell }: Work, text: string): void {
  const plan = turn.planMode === true ? planFrom(text) : undefined
  if (plan === undefined) return
  const { folder } = runtime.workspace()
  const { name, goal } = openPlans({ folder, who: session.who, trust: session.trust, now: runtime.now }).save(
    plan,
    session.id,
  )
  tell({ kind: "plan-saved", name, goal })
}

/** Whether a plan of this person waits for approval. */
export function planWaits({ runtime, session }: Work): boolean {
  const plans = openPlans({
    folder: runtime.workspace().folder,
    who: session.who,
    trust: session.trust,
    now: runtime.now,
  })
  return plans.list().value.some(({ status }) => status === "proposed" || status === "changed")
}
