// Forking a session, taking back its newest message, and stopping its work. A fork leaves the session as it is; the
// answer names the new one.
import { z } from "zod"
import { defined } from "../../../base/defined.ts"
import { IncipitError } from "../../../base/error.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import { notFound } from "../not-found.ts"
import { type Route, route } from "../route.ts"
import { findSession } from "./own-sessions.ts"

const forkedSchema = z.strictObject({
  session: z.string().describe("The new session."),
  from: z.string().describe("The session that it comes from."),
  message: z.string().optional().describe("The message at which it was forked, to change and send again."),
  summary: z.string().optional().describe("What the model is told about what was left behind."),
})

const fork = route({
  ...{ method: "POST", path: "/api/sessions/{session}/fork", scopes: ["talk"] },
  summary: "Begin a session that shares the conversation up to a message",
  body: z.strictObject({
    at: z
      .string()
      .optional()
      .describe("A turn: the new session has what came before it. Default: everything."),
  }),
  answer: forkedSchema,
  async handle({ params: { session: id = "" }, body }, call) {
    const { agent, session } = await findSession(id, call)
    return agent.fork(session.id, { ...call.caller.from, ...defined(body) }).catch(refused)
  },
})

const undo = route({
  ...{ method: "POST", path: "/api/sessions/{session}/undo", scopes: ["talk"] },
  summary: "Fork before the newest message",
  body: z.strictObject({}),
  answer: forkedSchema,
  async handle({ params: { session: id = "" } }, call) {
    const { agent, session } = await findSession(id, call)
    return agent.undo(session.id, call.caller.from).catch(refused)
  },
})

const stop = route({
  ...{ method: "POST", path: "/api/sessions/{session}/stop", scopes: ["talk"] },
  summary: "Stop what the session is working on, and what waits",
  description: "What was done so far is kept. Works from any process.",
  body: z.strictObject({}),
  answer: z.strictObject({ stopped: z.int().describe("How many messages were stopped.") }),
  async handle({ params: { session: id = "" } }, call) {
    const { agent, session } = await findSession(id, call)
    return { stopped: await agent.stop(session.id, call.caller.from).catch(refused) }
  },
})

export const CHANGE_ROUTES: readonly Route[] = [fork, undo, stop]

function refused(error: unknown): never {
  if (!(error instanceof IncipitError)) throw error
  if (error.code === "no-session") throw notFound()
  if (error.code === "cannot-fork") throw new SurfaceError(409, "cannot-fork", `${error.message}.`)
  throw error
}
