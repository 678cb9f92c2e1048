// Calls of our own agents as a source of the page, from wherever their record and their sessions are read.
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { isOperator } from "../../api/operator.ts"
import { cursorIn, type ListedSession } from "../../api/sessions/own-sessions.ts"
import type { PageSource, Reader } from "../page-source.ts"
import { callDetail } from "./call-detail.ts"
import { callPage } from "./call-page.ts"
import { carriedIn } from "./carried.ts"
import { createMissFinder } from "./misses.ts"
import type { Recorded } from "./recorded.ts"
import { seenBy } from "./seen.ts"
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
    },
  ): Promise<readonly ListedSession[]>
  has(reader: Reader, session: string): Promise<boolean>
}

export interface RecordedSourceOptions extends Pick<Recorded, "outbox"> {
  readonly read: <T>(ask: (store: RecordStore) => Promise<T>) => Promise<T>
  readonly sessions: ReaderSessions
  /** For a record that another process writes. */
  readonly watch?: PageSource["watch"]
}

/** Without a session, that many of the reader's own are looked through. */
const MOST_SESSIONS = 50

export function recordedSource({ outbox, sessions, watch, ...options }: RecordedSourceOptions): PageSource {
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
