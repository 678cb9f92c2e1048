// Live events as server-sent events: of your own turns and the work that they delegate, or of all turns for an operator.
import { z } from "zod"
import { eventFor } from "../../../agent/turn/event-for-person.ts"
import type { LiveEvent, WatchedEvent } from "../../../agent/turn/live-event.ts"
import { atLeast } from "../../../base/trust.ts"
import { callerOf } from "../../auth/authenticate.ts"
import type { Caller } from "../../auth/caller.ts"
import { refreshAgents } from "../../auth/refresh-agents.ts"
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
      "Server-sent events. A client that comes back sends the id of its last event as `last-event-id`, as browsers do, and gets what it missed; a new client gets the turns that are running, from their first event. The event `missed` says that some events are no longer known, so read the sessions again.",
    query: z.strictObject({ session: z.string().optional().describe("Only the turns of this session.") }),
    answer: z.strictObject({
      agent: z.string(),
      session: z.string(),
      turn: z.string(),
      trace: z.string().describe("The turn that delegated this one, or the turn itself."),
      event: z.looseObject({ kind: z.string() }),
    }),
    answers: "events",
    handle({ query: { session }, headers }, { caller, agents, signal, services }) {
      const after = headers.get("last-event-id") ?? undefined
      const isCaller = callerCheck(caller, services)
      const callerNow = async () => {
        // Both count: what the agents know of the reader, and what this server does.
        await refreshAgents(agents)
        return isCaller()
      }
      const lines = linesFor(services.live.follow(after, signal), { session, callerNow })
      return eventStream(lines, {}, PATIENCE.silenceMs)
    },
  }),
]

interface Following {
  readonly session: string | undefined
  /** Undefined once the token no longer counts. */
  readonly callerNow: () => Promise<Caller | undefined>
}

async function* linesFor(
  events: ReturnType<LiveFeed["follow"]>,
  { session, callerNow }: Following,
): AsyncGenerator<string, void> {
  // The headers go out with the first bytes.
  yield ": following\n\n"
  for await (const fed of events) {
    const caller = await callerNow()
    if (caller === undefined) return
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
  if (isOperator(caller)) return watched.event
  const event = atLeast(caller.trust, watched.trust) ? watched.for(caller.from) : undefined
  return event && eventFor(caller.trust, event)
}

/** The caller as incipit.yaml says now, while their token counts. */
function callerCheck(
  caller: Caller,
  { store, config, now }: Pick<ApiServices, "store" | "config" | "now">,
): () => Promise<Caller | undefined> {
  let checkedAt = now()
  let isValid = true
  return async () => {
    // A clock that was set back is no reason to look later.
    if (isValid && Math.abs(now() - checkedAt) >= CHECK_MS) {
      checkedAt = now()
      isValid = await store.tokens.isValid(caller.token)
    }
    return isValid ? callerOf({ ...caller, id: caller.token }, config()) : undefined
  }
}
