// Questions of running turns for approval: for the operator, since they show commands and files in full.
import { z } from "zod"
import { QUESTION_ANSWERS } from "../../database/contract/serve/questions.ts"
import type { Caller } from "../auth/caller.ts"
import { SurfaceError } from "../talk/surface-error.ts"
import { notFound } from "./not-found.ts"
import { isOperator } from "./operator.ts"
import { type Route, route } from "./route.ts"

const approvalSchema = z.strictObject({
  id: z.string(),
  agent: z.string(),
  session: z.string(),
  from: z.string().describe("Who caused it."),
  request: z.looseObject({ kind: z.string() }).describe("What the tool is about to do."),
  at: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe("Without an answer by then, it is a no."),
})

export const APPROVAL_ROUTES: readonly Route[] = [
  route({
    ...{ method: "GET", path: "/api/approvals", scopes: ["operate"] },
    summary: "List questions that wait for a yes or no",
    answer: z.strictObject({ approvals: z.array(approvalSchema) }),
    async handle(_asked, { caller, services }) {
      checkOperator(caller)
      const found = (await services.approvals.open()).map(
        ({ id, agent, session, from, request, at, expiresAt }) => ({
          ...{ id, agent, session, from, request },
          at: new Date(at).toISOString(),
          expiresAt: new Date(expiresAt).toISOString(),
        }),
      )
      return { approvals: found }
    },
  }),
  route({
    ...{ method: "POST", path: "/api/approvals/{approval}", scopes: ["operate"] },
    summary: "Answer a question; the first answer counts",
    description:
      "404 if it was answered, has expired, or never existed. `always` allows the same kind of action for the rest of the session; for changes to the agent itself, and for what a rule asks about, it counts as a single yes.",
    body: z.strictObject({ answer: z.enum(QUESTION_ANSWERS) }),
    answer: z.strictObject({ id: z.string(), answer: z.enum(QUESTION_ANSWERS) }),
    async handle({ params: { approval: id = "" }, body }, { caller, services }) {
      checkOperator(caller)
      if (!(await services.approvals.answer(id, body.answer))) throw notFound()
      return { id, answer: body.answer }
    },
  }),
]

function checkOperator(caller: Caller): void {
  if (!isOperator(caller))
    throw new SurfaceError(403, "more-trust", "Approving needs full trust, and this token has less.")
}
