// Plans within a turn: suggests plan mode for a message that looks like a larger piece of work, and saves a plan found
// in an answer until it is approved.
import { readInput } from "../../core/model/section-input.ts"
import { signalInput } from "../../profiles/inputs.ts"
import type { Services } from "../setup/services.ts"
import type { Work } from "../turn/work.ts"
import { planFrom, shouldPropose } from "./plan-text.ts"
import { openPlans, type Plans } from "./plans.ts"

export function suggestPlan({ turn, tell, waiting }: Work): void {
  // If reading messages is off, give no advice based on it.
  if (turn.planMode === true || readInput(turn, signalInput) === false) return
  if (shouldPropose(waiting.message.text)) tell({ kind: "plan-suggested" })
}

export type PlanServices = Pick<Services, "plans" | "clock">

/** Does nothing if the answer holds no plan, or none was asked for. */
export function keepPlan(services: PlanServices, work: Work, text: string): void {
  const { session, turn, tell } = work
  const plan = turn.planMode === true ? planFrom(text) : undefined
  if (plan === undefined) return
  const { name, goal } = plansOf(services, work).save(plan, session.id)
  tell({ kind: "plan-saved", name, goal })
}

/** Whether a plan of this person waits for approval. */
export function planWaits(services: PlanServices, work: Work): boolean {
  const plans = plansOf(services, work).list().value
  return plans.some(({ status }) => status === "proposed" || status === "changed")
}

function plansOf({ plans, clock }: PlanServices, { session: { who, trust } }: Work): Plans {
  return openPlans({ store: plans, who, trust, now: clock.now })
}
