// Sending a message to a session, or to a new one. The message is stored before the answer begins, and the turn goes on
// if the client goes away: a page comes back and reads the rest.
import { z } from "zod"
import { MOST_FILES } from "../../../agent/inbox/message/message-files.ts"
import type { RunningAgent, SendOptions } from "../../../agent/setup/agent.ts"
import type { LiveEvent } from "../../../agent/turn/live-event.ts"
import { defined } from "../../../base/defined.ts"
import { IncipitError } from "../../../base/error.ts"
import { REPLY_STATES, type StoredReply } from "../../../database/contract/reply.ts"
import { FAILED } from "../../http/refuse.ts"
import { answerHeaders } from "../../talk/answer-headers.ts"
import { eventStream, PATIENCE, serverSent } from "../../talk/event-stream.ts"
import { readHeaders } from "../../talk/request/read-body.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import type { ApiCall } from "../api-call.ts"
import { namedAgent } from "../named-agent.ts"
import { notFound } from "../not-found.ts"
import { type Asked, type Route, route } from "../route.ts"
import { messageIdFor } from "./idempotency.ts"
import { findSession } from "./own-sessions.ts"

/** Counting the tokens of a message blocks the process. */
const MOST_TEXT = 200_000

const sentSchema = z.strictObject({
  text: z
    .string()
    .max(MOST_TEXT, `is longer than ${MOST_TEXT} characters; send it as a file`)
    .default("")
    .describe("What to say. May be empty with files."),
  files: z
    .array(
      z.strictObject({
        mediaType: z
          .string()
          .describe("`image/png`, `image/jpeg`, `image/gif`, `image/webp`, `application/pdf`, or text."),
        data: z.string().describe("base64"),
        name: z.string().exactOptional(),
      }),
    )
    // Checked before the files are: each bad one is a problem of its own.
    .max(MOST_FILES, `has more than ${MOST_FILES} files`)
    .optional(),
  planMode: z.boolean().optional(),
})

type SentBody = z.infer<typeof sentSchema>

const replySchema = z.strictObject({
  state: z.enum(REPLY_STATES),
  text: z.string(),
  turn: z.string().describe("Leads to the exact prompt: `/api/turns/{turn}`."),
  session: z.string(),
  steps: z.int(),
  durationMs: z.number(),
  costUsd: z.number().nullable().describe("Null if it is unknown, or if you may not see it."),
})

const DESCRIPTION =
  "With `accept: text/event-stream`, the answer is sent as it is written: events of the turn, each with a `kind`, the last one `turn-finished`; the headers `x-incipit-session` and `x-incipit-turn` say where. With the header `idempotency-key`, a repeated request gets the answer of the first one."

const send = route({
  ...{ method: "POST", path: "/api/sessions/{session}/messages", scopes: ["talk"] },
  summary: "Send a message to a session, and get the answer",
  description: DESCRIPTION,
  body: sentSchema,
  answer: replySchema,
  async handle(asked, call) {
    const { params, body, headers } = asked
    // Also those that may be read, but not continued: the sender is checked again when the message is received.
    const { agent, session } = await findSession(params.session ?? "", call)
    return answered(agent, { body, headers, place: { session: session.id } }, call)
  },
})

const begin = route({
  ...{ method: "POST", path: "/api/sessions", scopes: ["talk"] },
  summary: "Begin a session with a message, and get the answer",
  description: DESCRIPTION,
  body: sentSchema.extend({ agent: z.string().optional() }),
  answer: replySchema,
  handle: ({ body: { agent, ...body }, headers }, call) =>
    answered(namedAgent(call.agents, agent), { body, headers, place: { isNew: true } }, call),
})

export const SEND_ROUTES: readonly Route[] = [begin, send]

interface Sending extends Pick<Asked<SentBody, undefined>, "body" | "headers"> {
  readonly place: Pick<SendOptions, "session" | "isNew">
}

async function answered(
  agent: RunningAgent,
  { body, headers, place }: Sending,
  { caller, services }: ApiCall,
): Promise<Response | z.infer<typeof replySchema>> {
  const { text, files, planMode } = body
  const { idempotencyKey: key } = readHeaders({ headers })
  const said = { ...place, ...body }
  const id = key && (await messageIdFor(services.store.requests, { key, caller, said }))
  const options: SendOptions = {
    ...caller.from,
    ...place,
    via: "http",
    ...defined({ files, planMode, id, locale: caller.locale }),
  }
  const stream = agent.stream(text, options)
  const events = stream[Symbol.asyncIterator]()
  const { early, place: where } = await beginningOf(events)
  const rest = following(early, events)
  if (headers.get("accept")?.includes("text/event-stream"))
    return eventStream(lines(rest), where ? answerHeaders(where, { ignored: [] }) : {}, PATIENCE.silenceMs)
  let reply: StoredReply | undefined
  for await (const event of rest) if (event.kind === "turn-finished") reply = event.reply
  if (reply === undefined) throw new Error("a turn ended without a reply")
  return shownReply(reply)
}

type AnswerPlace = Parameters<typeof answerHeaders>[0]

interface Beginning {
  readonly early: readonly LiveEvent[]
  readonly place: AnswerPlace | undefined
}

/**
 * Up to the event that says where the message is answered, so that a client knows it without reading any. A diagnostic may
 * come first, or that a provider asked to wait; neither keeps anybody waiting, since a message that is queued ends at once.
 */
async function beginningOf(events: AsyncIterator<LiveEvent, unknown>): Promise<Beginning> {
  const early: LiveEvent[] = []
  for (let next = await events.next().catch(refused); !next.done; next = await events.next().catch(refused)) {
    early.push(next.value)
    const place = placeIn(next.value)
    if (place !== undefined) return { early, place }
  }
  return { early, place: undefined }
}

function placeIn(event: LiveEvent): AnswerPlace | undefined {
  if (event.kind === "turn-started") return event
  return event.kind === "turn-finished" ? event.reply : undefined
}

/** What the sender may see: the events were made for them. */
function shownReply({ state, text, turn, session, steps, durationMs, cost }: StoredReply) {
  return { state, text, turn, session, steps, durationMs, costUsd: cost.costUsd }
}

async function* following(
  early: readonly LiveEvent[],
  events: AsyncIterator<LiveEvent, unknown>,
): AsyncGenerator<LiveEvent, void> {
  yield* early
  for (let next = await events.next().catch(refused); !next.done; next = await events.next().catch(refused))
    yield next.value
}

async function* lines(events: AsyncGenerator<LiveEvent, void>): AsyncGenerator<string, void> {
  try {
    for await (const event of events) yield serverSent(event, event.kind)
  } catch (error) {
    // The status was sent long ago.
    const { code, message } = error instanceof SurfaceError ? error : FAILED
    yield serverSent({ error: { code, message } }, "error")
    if (!(error instanceof SurfaceError)) throw error
  }
}

/** Messages of failures in our own parts may name paths and hosts, so only those about the request are passed on. */
function refused(error: unknown): never {
  if (!(error instanceof IncipitError)) throw error
  if (error.code === "no-session") throw notFound()
  if (error.code === "no-text") throw new SurfaceError(400, "bad-input", "The message is empty.", "text")
  if (error.code === "bad-option")
    throw new SurfaceError(400, "bad-input", `files: ${error.message}.`, "files")
  throw error
}
