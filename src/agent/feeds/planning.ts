// Plans within a turn: a message that looks like a larger piece of work gets plan mode suggested, and a plan that an
// answer holds is kept as a file until it is approved.
import type { Work } from "../turn/work.ts"
import { planFrom, shouldPropose } from "./plan-text.ts"
import { openPlans } from "./plans.ts"

export function suggestPlan({ turn, tell, waiting }: Work): void {
  // Who has the reading of messages switched off gets no advice from it either.
  if (turn.planMode === true || turn.inputs?.signal === false) return
  if (shouldPropose(waiting.message.text)) tell({ kind: "plan-suggested" })
}

/** Nothing if it is no plan, or was not asked for. */
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

/** A plan of this person's waits for a yes. */
export function planWaits({ runtime, session }: Work): boolean {
  const plans = openPlans({
    folder: runtime.workspace().folder,
    who: session.who,
    trust: session.trust,
    now: runtime.now,
  })
  return plans.list().value.some(({ status }) => status === "proposed" || status === "changed")
}
