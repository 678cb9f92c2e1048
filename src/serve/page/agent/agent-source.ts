// Our own agents' calls, from the record and the store, for the page. A reader sees the sessions that are theirs, as far
// as the record's own rules go; an operator sees all of them.
import { isOperator } from "../../api/operator.ts"
import { cursorIn, findSessionFacts, listSessions } from "../../api/sessions/own-sessions.ts"
import type { ServedAgents } from "../../http/surface.ts"
import type { PageSource, Reader } from "../page-source.ts"
import { callDetail } from "./call-detail.ts"
import { callPage } from "./call-page.ts"
import { carriedIn } from "./carried.ts"
import { createMissFinder } from "./misses.ts"
import type { Recorded } from "./recorded.ts"
import { seenBy } from "./seen.ts"
import { sessionPage } from "./session-page.ts"
import { createPartSplitter } from "./shown-parts.ts"

export interface AgentSourceOptions extends Pick<Recorded, "outbox"> {
  readonly agents: ServedAgents
}

/** Without a session, that many of the reader's own are looked through. */
const MOST_SESSIONS = 50

export function agentSource({ agents, outbox }: AgentSourceOptions): PageSource {
  const kept = { outbox, misses: createMissFinder(), splitter: createPartSplitter() }
  const read = async <T>(ask: (recorded: Recorded) => Promise<T>): Promise<T> => {
    const { record } = agents.main
    await record.flushIfFree()
    return record.read((store) => ask({ store, ...kept }))
  }
  const mine = (reader: Reader, session: string) => findSessionFacts(session, { caller: reader, agents })
  return {
    id: "agent",
    title: "Agent",
    async sessions(reader, { after, limit }) {
      const place = after === undefined ? undefined : cursorIn(after)
      const found = await listSessions({ caller: reader, agents }, { limit: limit + 1, after: place })
      const page = { found, limit, reader, isWhole: reader.trust === "full" }
      return read(({ store }) => sessionPage(store, page))
    },
    async calls(reader, asked) {
      if ((await mine(reader, asked.session)) === undefined) return undefined
      return read((recorded) => callPage(recorded, asked, seenBy(reader, asked.session)))
    },
    call: (reader, id) =>
      read((recorded) =>
        callDetail(recorded, id, async (session) =>
          (await mine(reader, session)) === undefined ? undefined : seenBy(reader, session),
        ),
      ),
    async carried(reader, asked) {
      const sessions = await sessionsFor(reader, asked.session, agents)
      return read(({ store }) => carriedIn(store, asked, { sessions, seen: seenBy(reader, "") }))
    },
  }
}

/** Undefined for all of them; none if the session that is asked for isn't this reader's. */
async function sessionsFor(
  reader: Reader,
  session: string | undefined,
  agents: ServedAgents,
): Promise<readonly string[] | undefined> {
  if (session === undefined && isOperator(reader)) return undefined
  const reading = { caller: reader, agents }
  if (session !== undefined) return (await findSessionFacts(session, reading)) === undefined ? [] : [session]
  return (await listSessions(reading, { limit: MOST_SESSIONS })).map(({ id }) => id)
}
