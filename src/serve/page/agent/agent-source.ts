// Our own agents' calls, from the record and the store, for the page. A reader sees the sessions that are theirs, as far
// as the record's own rules go; an operator sees all of them.
import { findSessionFacts, listSessions } from "../../api/sessions/own-sessions.ts"
import type { ServedAgents } from "../../http/surface.ts"
import type { PageSource } from "../page-source.ts"
import type { Recorded } from "./recorded.ts"
import { type RecordedSourceOptions, recordedSource } from "./recorded-source.ts"

export interface AgentSourceOptions extends Pick<Recorded, "outbox">, Pick<RecordedSourceOptions, "termsOf"> {
  readonly agents: ServedAgents
}

export function agentSource({ agents, outbox, termsOf }: AgentSourceOptions): PageSource {
  return recordedSource({
    ...{ outbox, termsOf },
    async read(ask) {
      const { record } = agents.main
      await record.flushIfFree()
      return record.read(ask)
    },
    sessions: {
      list: (caller, page) => listSessions({ caller, agents }, page),
      has: async (caller, session) => (await findSessionFacts(session, { caller, agents })) !== undefined,
    },
  })
}
