// Live events as server-sent events: of your own turns and the work that they delegate, or of all turns for an operator.
import { z } from "zod"
import type { LiveEvent, WatchedEvent } from "../../../agent/turn/live-event.ts"
import type { Caller } from "../../auth/caller.ts"
import { eventStream, PATIENCE, serverSent } from "../../talk/event-stream.ts"
import type { ApiServices } from "../api-call.ts"
import { isOperator } from "../operator.ts"
import { type Route, route } from "../route.ts"
import type { LiveFeed } from "./live-feed.ts"

/** A stream stays open, so its token is looked up again: at most this often. */
const CHECK_MS = 1_000

export const LIVE_ROUTES: readonly Route[] = [
  route({
    ...{ method: "GET", path: "/api/events", scopes: ["talk", "read"] },
    summary: "Follow turns as they happen",
    description:
      "Server-sent events. A client that comes back sends the id of its last event as `last-event-id`, as browsers do, and gets what it missed; the event `missed` says that some events are no longer known, so read the sessions again.",
    query: z.strictObject({ session: z.string().optional().describe("Only the turns of this session.") }),
    answer: z.strictObject({
      agent: z.string(),
      session: z.string(),
      turn: z.string(),
      trace: z.string().describe("The turn that delegated this one, or the turn itself."),
      event: z.looseObject({ kind: z.string() }),
    }),
    answers: "events",
    handle({ query: { session }, headers }, { caller, signal, services }) {
      const after = headers.get("last-event-id") ?? undefined
      const isValid = tokenCheck(caller, services)
      const lines = linesFor(services.live.follow(after, signal), { caller, session, isValid })
      return eventStream(lines, {}, PATIENCE.silenceMs)
    },
  }),
]

interface Following {
  readonly caller: Caller
  readonly session: string | undefined
  readonly isValid: () => Promise<boolean>
}

async function* linesFor(
  events: ReturnType<LiveFeed["follow"]>,
  { caller, session, isValid }: Following,
): AsyncGenerator<string, void> {
  // The headers go out with the first bytes.
  yield ": following\n\n"
  for await (const fed of events) {
    if (!(await isValid())) return
    if (fed === "missed") {
      yield serverSent({}, "missed")
      continue
    }
    const { agent, session: own, turn, trace } = fed.event
    const event = session === undefined || session === own ? shownTo(caller, fed.event) : undefined
    if (event !== undefined)
      yield `id: ${fed.id}\n${serverSent({ agent, session: own, turn, trace, event }, event.kind)}`
  }
}

function shownTo(caller: Caller, watched: WatchedEvent): LiveEvent | undefined {
  return isOperator(caller) ? watched.event : watched.for(caller.from)
}

/** Whether the token still counts. */
function tokenCheck(
  { token }: Pick<Caller, "token">,
  { store, now }: Pick<ApiServices, "store" | "now">,
): () => Promise<boolean> {
  let checkedAt = now()
  let isValid = true
  return async () => {
    if (!isValid || now() - checkedAt < CHECK_MS) return isValid
    checkedAt = now()
    const found = (await store.tokens.list()).find(({ id }) => id === token)
    const { revokedAt, expiresAt = Number.POSITIVE_INFINITY } = found ?? { revokedAt: 0 }
    isValid = revokedAt === undefined && expiresAt > checkedAt
    return isValid
  }
}
