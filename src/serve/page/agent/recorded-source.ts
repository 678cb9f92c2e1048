// Calls of our own agents as a source of the page, from wherever their record and their sessions are read.

import type { Terms } from "../../../agent/models/terms.ts"
import type { Sight } from "../../../database/contract/record/event-log.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { isOperator } from "../../api/operator.ts"
import { cursorIn, type ListedSession } from "../../api/sessions/own-sessions.ts"
import { seenBy } from "../../api/sessions/seen.ts"
import { sightOf } from "../../api/sessions/sight.ts"
import { agentCosts, type SessionTitle, waysOf } from "../money/agent-costs.ts"
import { agentOwners, keptCharges } from "../money/agent-owners.ts"
import { simulatedIn } from "../money/agent-simulated.ts"
import { noCosts, notSimulated } from "../money/closed.ts"
import type { PageSource, Reader } from "../page-source.ts"
import { callDetail } from "./call-detail.ts"
import { callPage } from "./call-page.ts"
import { carriedIn } from "./carried.ts"
import { createMissFinder } from "./misses.ts"
import type { Recorded } from "./recorded.ts"
import { sessionPage } from "./session-page.ts"
import { createPartSplitter } from "./shown-parts.ts"

/** The sessions of a reader. Those of others are not there. */
export interface ReaderSessions {
  /** The most recently used first. */
  list(
    reader: Reader,
    page: {
      readonly limit: number
      readonly after?: Pick<ListedSession, "usedAt" | "id"> | undefined
      /** Also delegated parts, for an operator. */
      readonly withParts?: boolean
    },
  ): Promise<readonly ListedSession[]>
  has(reader: Reader, session: string): Promise<boolean>
}

export interface RecordedSourceOptions extends Pick<Recorded, "outbox"> {
  readonly read: <T>(ask: (store: RecordStore) => Promise<T>) => Promise<T>
  readonly sessions: ReaderSessions
  /** What a model costs at a time, and how its provider's cache works. */
  readonly termsOf: (model: string, at: number) => Promise<Terms>
  /** For a record that another process writes. */
  readonly watch?: PageSource["watch"]
}

/** Without a session, that many of the reader's own are looked through. */
const MOST_SESSIONS = 50

export function recordedSource({ outbox, sessions, watch, ...options }: RecordedSourceOptions): PageSource {
  const charges = keptCharges()
  const kept = { outbox, misses: createMissFinder(), splitter: createPartSplitter() }
  const read = <T>(ask: (recorded: Recorded) => Promise<T>): Promise<T> =>
    options.read((store) => ask({ store, ...kept }))
  return {
    ...{ id: "agent", title: "Agent", ...(watch && { watch }) },
    async sessions(reader, { after, limit }) {
      const place = after === undefined ? undefined : cursorIn(after)
      const found = await sessions.list(reader, { limit: limit + 1, after: place })
      const page = { found, limit, reader, isWhole: reader.trust === "full" }
      return read(({ store }) => sessionPage(store, page))
    },
    async calls(reader, asked) {
      if (!(await sessions.has(reader, asked.session))) return undefined
      return read((recorded) => callPage(recorded, asked, seenBy(reader, asked.session)))
    },
    async costs(reader, asked) {
      const found = await costSessions(reader, asked.session, sessions)
      const ways = waysOf(isOperator(reader))
      if (found === undefined) return undefined
      if (reader.trust !== "full") return noCosts(asked.by, ways)
      const { by } = asked
      const own = found.isAll ? undefined : found.sessions.map(({ id }) => id)
      if (by === "owner" || by === "client") {
        const seen = { sessions: own, seen: seenBy(reader, "") }
        return read((recorded) => agentOwners(recorded, { ...asked, ...seen, ways, kept: charges }))
      }
      const sights = found.isAll ? undefined : found.sessions.map((session) => costSight(reader, session))
      return read(({ store }) => agentCosts(store, { ...asked, by, ways, sights, sessions: found.sessions }))
    },
    async simulated(reader, session) {
      if (!(await sessions.has(reader, session))) return undefined
      if (reader.trust !== "full") return notSimulated(session)
      return read(({ store }) => simulatedIn(store, { session, termsOf: options.termsOf }))
    },
    call: (reader, id) =>
      read((recorded) =>
        callDetail(recorded, id, async (session) =>
          (await sessions.has(reader, session)) ? seenBy(reader, session) : undefined,
        ),
      ),
    async carried(reader, asked) {
      const asking = await sessionsFor(reader, asked.session, sessions)
      return read(({ store }) => carriedIn(store, asked, { sessions: asking, seen: seenBy(reader, "") }))
    },
  }
}

/** Undefined for all of them; none if the session that is asked for isn't this reader's. */
async function sessionsFor(
  reader: Reader,
  session: string | undefined,
  sessions: ReaderSessions,
): Promise<readonly string[] | undefined> {
  if (session === undefined && isOperator(reader)) return undefined
  if (session !== undefined) return (await sessions.has(reader, session)) ? [session] : []
  return (await sessions.list(reader, { limit: MOST_SESSIONS })).map(({ id }) => id)
}

/** For titles, of an operator's sessions and the parts that they delegated. */
const MOST_TITLES = 1_000

interface CostSessions {
  readonly sessions: readonly SessionTitle[]
  /** Whether all that is recorded is asked for. */
  readonly isAll: boolean
}

/** Undefined for a session that isn't this reader's. */
async function costSessions(
  reader: Reader,
  session: string | undefined,
  sessions: ReaderSessions,
): Promise<CostSessions | undefined> {
  const isAll = session === undefined && isOperator(reader)
  const withParts = isOperator(reader)
  const listed = await sessions.list(reader, { limit: withParts ? MOST_TITLES : MOST_SESSIONS, withParts })
  if (session === undefined) return { sessions: listed, isAll }
  if (!(await sessions.has(reader, session))) return undefined
  const known = listed.filter(({ id }) => id === session)
  return { sessions: known.length > 0 ? known : [{ id: session, title: "", who: "" }], isAll }
}

/** An operator sees a session as the person it is with. */
function costSight(reader: Reader, { id, who }: SessionTitle): Sight {
  return sightOf(reader, id) ?? { session: id, user: who.replace(/^person:/, ""), trust: reader.trust }
}
