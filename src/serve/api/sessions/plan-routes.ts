// The plan of a session that waits for an answer. Approving it gives the message that has it carried out; the client
// sends it, like any other.
import { z } from "zod"
import { type PlanFile, resumeText } from "../../../agent/feeds/plan-text.ts"
import type { Plans } from "../../../agent/feeds/plans.ts"
import type { RunningAgent } from "../../../agent/setup/agent.ts"
import type { SessionTranscript } from "../../../agent/storage/session-info.ts"
import { IncipitError } from "../../../base/error.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import type { ApiCall } from "../api-call.ts"
import { notFound } from "../not-found.ts"
import { type Route, route } from "../route.ts"
import { findSessionFacts } from "./own-sessions.ts"

const ANSWERS = ["approve", "dismiss"] as const
const WAITING = ["proposed", "changed", "approved"] as const

const planSchema = z.strictObject({
  name: z.string(),
  status: z.enum(WAITING).describe("`approved`: nothing was sent to the session since, so approve it again."),
  goal: z.string(),
  text: z.string().describe("Markdown, as it is now: the file may have been edited since the answer."),
})

const waiting = route({
  ...{ method: "GET", path: "/api/sessions/{session}/plan", scopes: ["read", "talk"] },
  summary: "Read the plan of a session that waits for an answer",
  description:
    "The newest one that was made in it for you; null if there is none, it was dismissed, or its message was sent.",
  answer: z.strictObject({ session: z.string(), plan: planSchema.nullable() }),
  async handle({ params: { session: id = "" } }, call) {
    const { plan } = await planOf(id, call)
    return { session: id, plan: plan ?? null }
  },
})

const answer = route({
  ...{ method: "POST", path: "/api/sessions/{session}/plan", scopes: ["talk"] },
  summary: "Approve the plan of a session, or dismiss it",
  description:
    "Approving ends the plan mode of the session. `message` has the plan carried out: send it to the session. 409 if the plan is no longer what was read.",
  body: z.strictObject({
    answer: z.enum(ANSWERS),
    ...planSchema.pick({ name: true, text: true }).shape,
  }),
  answer: z.strictObject({ message: z.string().nullable() }),
  async handle({ params: { session: id = "" }, body: { answer: given, name, text } }, call) {
    const { agent, plans, plan, usedAt } = await planOf(id, call)
    if (plan?.name !== name || plan.text !== text) throw planChanged()
    if (given === "dismiss") {
      asRead(() => plans.markDone(name))
      return { message: null }
    }
    // The file may have become another one by now: what is approved here is what is carried out.
    const approved = asRead(() => plans.approve(name, { text, usedAt }))
    await agent.setPlanMode(id, false)
    return { message: resumeText(approved) }
  },
})

function asRead(act: () => PlanFile): PlanFile {
  try {
    return act()
  } catch (error) {
    const isOther =
      error instanceof IncipitError && (error.code === "plan-not-approved" || error.code === "no-such-plan")
    throw isOther ? planChanged() : error
  }
}

function planChanged(): SurfaceError {
  return new SurfaceError(409, "plan-changed", "The plan has changed since you read it, or has an answer.")
}

interface FoundPlan {
  readonly agent: RunningAgent
  readonly plans: Plans
  readonly plan: z.infer<typeof planSchema> | undefined
  readonly usedAt: number
}

/** Only the caller's own plan: an operator finds the sessions of others, and answers nothing there. */
async function planOf(id: string, call: ApiCall): Promise<FoundPlan> {
  const found = await findSessionFacts(id, call)
  if (found === undefined) throw notFound()
  const { agent, session } = found
  const { plans } = agent.kept(call.caller.from)
  return { agent, plans, plan: waitingIn(plans, session), usedAt: session.usedAt }
}

function waitingIn(
  plans: Plans,
  session: Pick<SessionTranscript, "id" | "usedAt">,
): z.infer<typeof planSchema> | undefined {
  const newest = plans.list().value.findLast((one) => one.session === session.id)
  const status = WAITING.find((one) => one === newest?.status)
  if (newest === undefined || status === undefined) return undefined
  if (status === "approved" && newest.usedAt !== session.usedAt) return undefined
  const { name, goal, text } = newest
  return { name, status, goal, text }
}

export const PLAN_ROUTES: readonly Route[] = [waiting, answer]
