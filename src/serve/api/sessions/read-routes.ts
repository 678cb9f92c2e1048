// Reading sessions: the list in pages, and what was said in one.
import { z } from "zod"
import { notFound } from "../not-found.ts"
import { isOperator } from "../operator.ts"
import { type Route, route } from "../route.ts"
import { cursorAfter, cursorIn, findSession, type ListedSession, listSessions } from "./own-sessions.ts"
import { messageSchema, shownMessage } from "./shown-message.ts"

const MOST = 200
const limit = z.coerce.number().int().min(1).max(MOST).default(50).describe("How many, at most.")

const sessionSchema = z.strictObject({
  id: z.string(),
  agent: z.string(),
  who: z.string().nullable().describe("Whose it is; for operators."),
  situation: z.string(),
  title: z.string().describe("The first words of the first message."),
  turns: z.int(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
})

const list = route({
  ...{ method: "GET", path: "/api/sessions", scopes: ["read", "talk"] },
  summary: "List sessions, the most recently used first",
  description: "Your own; an operator gets those of everybody.",
  query: z.strictObject({
    limit,
    after: z.string().optional().describe("`next` of the page before."),
  }),
  answer: z.strictObject({
    sessions: z.array(sessionSchema),
    next: z.string().nullable().describe("Pass it as `after` for the next page; null on the last one."),
  }),
  async handle({ query }, call) {
    const after = query.after === undefined ? undefined : cursorIn(query.after)
    // One more than asked for, to know whether there is another page.
    const found = await listSessions(call, { limit: query.limit + 1, after })
    const page = found.slice(0, query.limit)
    const isWhole = isOperator(call.caller)
    return {
      sessions: page.map((one) => ({ ...shownSession(one), who: isWhole ? one.who : null })),
      next: cursorAfter(found, query.limit),
    }
  },
})

function shownSession({ id, agent, situation, title, turns, createdAt, usedAt }: ListedSession) {
  const times = { createdAt: new Date(createdAt).toISOString(), usedAt: new Date(usedAt).toISOString() }
  return { id, agent, situation, title, turns, ...times }
}

const read = route({
  ...{ method: "GET", path: "/api/sessions/{session}", scopes: ["read", "talk"] },
  summary: "Read what was said in a session",
  description: "The newest messages, oldest first. Inputs and results of tools need full trust.",
  query: z.strictObject({
    limit,
    before: z.coerce.number().int().optional().describe("`seq` of the first message of the page before."),
  }),
  answer: z.strictObject({
    session: sessionSchema
      .pick({ id: true, agent: true, situation: true, createdAt: true, usedAt: true })
      .extend({ isYours: z.boolean().describe("Whether you can continue it, besides reading it.") }),
    messages: z.array(messageSchema),
    hasEarlier: z.boolean(),
  }),
  async handle({ params: { session: id = "" }, query }, call) {
    const { name, agent, session } = await findSession(id, call)
    const own = session.mode === "full" ? await agent.sessionFacts(id, call.caller.from) : undefined
    const { before = Number.MAX_SAFE_INTEGER } = query
    const all = session.items.filter(({ seq }) => seq < before)
    const shown = all.flatMap((item) => shownMessage(item, call.caller.trust === "full") ?? [])
    const { situation, createdAt, usedAt } = session
    const times = { createdAt: new Date(createdAt).toISOString(), usedAt: new Date(usedAt).toISOString() }
    return {
      session: { id, agent: name, situation, ...times, isYours: own !== undefined },
      messages: shown.slice(-query.limit),
      hasEarlier: shown.length > query.limit,
    }
  },
})

const sent = route({
  ...{ method: "GET", path: "/api/sessions/{session}/messages/{turn}", scopes: ["talk"] },
  summary: "Read a message as it was sent, to change it and send it again",
  description:
    "Text files are files here; the conversation has them as text. 404 once the message is no longer kept.",
  answer: z.strictObject({
    text: z.string(),
    files: z.array(
      z.strictObject({
        mediaType: z.string(),
        data: z.string().describe("base64"),
        name: z.string().optional(),
      }),
    ),
  }),
  async handle({ params: { session = "", turn = "" } }, call) {
    const { items } = (await findSession(session, call)).session
    const found = await call.services.store.inbox.message(turn)
    // A branch has copies of the turns before it, and their messages stay where they were sent.
    const isHere = found?.session === session || items.some((item) => item.turn === turn)
    if (found === undefined || !isHere) throw notFound()
    const { text, files = [] } = found.message
    return { text, files }
  },
})

export const READ_ROUTES: readonly Route[] = [list, read, sent]
