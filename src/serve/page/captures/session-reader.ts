// Reads sessions of clients when they are looked at: the rows of their calls, and what some of the calls sent. What was
// read last is kept, so that going from call to call is fast; how much that is, is bounded.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import type { PrepareOptions } from "../../../capture/bill/prepare-call.ts"
import {
  readSentCalls,
  readSessionCalls,
  type SentCall,
  type SessionCall,
} from "../../../capture/sessions/session-calls.ts"
import type { IndexedSession, SessionIndex } from "../../../capture/sessions/session-index.ts"
import { createRecentlyUsed, type RecentlyUsed } from "../../../database/recently-used.ts"

export interface SessionReaderOptions extends PrepareOptions {
  readonly index: SessionIndex
  readonly onNote: (diagnostic: Diagnostic) => void
}

export interface SessionReader {
  /** All calls, in the order of time. */
  calls(session: IndexedSession): Promise<readonly SessionCall[]>
  /** One of them with what it sent. `id` is the call's own. */
  sent(session: IndexedSession, id: string): Promise<SentCall | undefined>
  /** Those with these ids, one after the other; none of them is kept. */
  each(session: IndexedSession, ids: ReadonlySet<string>): AsyncIterable<SentCall>
}

const MOST_SESSIONS = 8
/** Around the one that is asked for: files are read from their start. */
const WINDOW_BEFORE = 4
const WINDOW_AFTER = 16
/** Windows that are kept, each of one session. */
const MOST_WINDOWS = 2

export function createSessionReader(options: SessionReaderOptions): SessionReader {
  const { index, onNote } = options
  const listed = createRecentlyUsed<string, Promise<readonly SessionCall[]>>(MOST_SESSIONS)
  const windows = createRecentlyUsed<string, Promise<ReadonlyMap<string, SentCall>>>(MOST_WINDOWS)
  const asked = (session: IndexedSession) => ({ ...options, session, counts: index.counts, onNote })
  const calls = (session: IndexedSession) =>
    kept(listed, versionOf(session), () => index.holdFor(() => readSessionCalls(asked(session))))
  return {
    calls,
    async sent(session, id) {
      const all = await calls(session)
      const at = all.findIndex(({ call }) => call.id === id)
      if (at === -1) return undefined
      // A window begins at a multiple, so that calls next to each other are in the same one.
      const start = at - (at % WINDOW_AFTER)
      const near = all.slice(Math.max(0, start - WINDOW_BEFORE), start + WINDOW_AFTER)
      const window = await kept(windows, `${versionOf(session)} ${start}`, () =>
        index.holdFor(() =>
          windowOf(readSentCalls(asked(session), new Set(near.map(({ call }) => call.id)))),
        ),
      )
      return window.get(id)
    },
    each: (session, ids) => readSentCalls(asked(session), ids),
  }
}

async function windowOf(calls: AsyncIterable<SentCall>): Promise<ReadonlyMap<string, SentCall>> {
  const window = new Map<string, SentCall>()
  for await (const call of calls) window.set(call.sent.id, call)
  return window
}

/** Changes with the files of the session. */
function versionOf({ id, files }: IndexedSession): string {
  return [id, ...files.map(({ file }) => `${file.path} ${file.bytes} ${file.changedAt}`)].join("\n")
}

/** What failed is forgotten, so that it is tried again. */
function kept<T>(known: RecentlyUsed<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? make()
  known.set(key, value, 1)
  value.catch(() => known.set(key, value, Number.POSITIVE_INFINITY))
  return value
}
