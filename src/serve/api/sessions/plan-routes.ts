// The plan of a session that waits for an answer. Approving it gives the message that has it carried out; the client
// sends it, like any other.
import { z } from "zod"
import type { PlanFile } from "../../../agent/feeds/plan-text.ts"
import type { Plans } from "../../../agent/feeds/plans.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import type { ApiCall } from "../api-call.ts"
import { type Route, route } from "../route.ts"
import { findSession } from "./own-sessions.ts"

const ANSWERS = ["approve", "dismiss"] as const

const planSchema = z.strictObject({
  name: z.string(),
  goal: z.string(),
  text: z.string().describe("Markdown, as it is now: the file may have been edited since the answer."),
})

const waiting = route({
  ...{ method: "GET", path: "/api/sessions/{session}/plan", scopes: ["read", "talk"] },
  summary: "Read the plan of a session that waits for an answer",
  description: "The newest one that was made in it for you; null if there is none, or it has an answer.",
  answer: z.strictObject({ session: z.string(), plan: planSchema.nullable() }),
  async handle({ params: { session: id = "" } }, call) {
    const { plan } = await planOf(id, call)
    return {
      session: id,
      plan: plan === undefined ? null : { name: plan.name, goal: plan.goal, text: plan.text },
    }
  },
})

const answer = route({
  ...{ method: "POST", path: "/api/sessions/{session}/plan", scopes: ["talk"] },
  summary: "Approve the plan of a session, or put it away",
  description:
    "Approving ends the plan mode of the session. `message` has the plan carried out: send it to the session. 409 if the plan is no longer what was read.",
  body: z.strictObject({
    answer: z.enum(ANSWERS),
    ...planSchema.pick({ name: true, text: true }).shape,
  }),
  answer: z.strictObject({ message: z.string().nullable() }),
  async handle({ params: { session: id = "" }, body }, call) {
    const { agent, plans, plan } = await planOf(id, call)
    if (plan?.name !== body.name || plan.text !== body.text)
      throw new SurfaceError(409, "plan-changed", "The plan has changed since you read it, or has an answer.")
    if (body.answer === "dismiss") {
      plans.markDone(plan.name)
      return { message: null }
    }
    plans.approve(plan.name)
    await agent.setPlanMode(id, false)
    return { message: plans.resume(plan.name) }
  },
})

/** Only the caller's own: an operator reads the sessions of others, and answers nothing there. */
async function planOf(id: string, call: ApiCall) {
  const { agent } = await findSession(id, call)
  const { plans } = agent.kept(call.caller.from)
  return { agent, plans, plan: newestIn(plans, id) }
}

function newestIn(plans: Plans, session: string): PlanFile | undefined {
  const own = plans.list().value.filter((one) => one.session === session)
  // Of those that were made at the same moment, the last by name.
  const newest = own.reduce<PlanFile | undefined>(
    (best, one) => (best === undefined || one.created >= best.created ? one : best),
    undefined,
  )
  return newest?.status === "proposed" || newest?.status === "changed" ? newest : undefined
}

export const PLAN_ROUTES: readonly Route[] = [waiting, answer]
