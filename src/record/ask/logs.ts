// Queries on the event log: newest first by time, or in the order of writing if a text is searched for.
import type { EventType, Level } from "../../base/event-types.ts"
import type { EventFilter } from "../../database/contract/record/event-log.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import type { StoredEvent } from "../write/event.ts"
import { storedEvent, storedTypes } from "../write/stored-event.ts"

/** Which events are wanted. */
export interface LogFilter {
  readonly session?: string | undefined
  readonly user?: string | undefined
  readonly channel?: string | undefined
  /** This level or a more serious one. */
  readonly level?: Level | undefined
  readonly types?: readonly EventType[] | undefined
  readonly trace?: string | undefined
  readonly turn?: string | undefined
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Words that must all occur in the error or the data. */
  readonly text?: string | undefined
  /** Only what follows this event in the requested order: the last event of the previous page. */
  readonly cursor?: number | undefined
  readonly order?: "newest" | "oldest" | undefined
  readonly limit?: number | undefined
}

const DEFAULT_LIMIT = 100
/** More words than any real query has, and few enough for the parser of the index. */
const MOST_WORDS = 64

/** Reads events from a record, newest first unless the filter says otherwise. */
export async function queryEvents(
  store: RecordStore,
  filter: LogFilter = {},
): Promise<readonly StoredEvent[]> {
  const { order = "newest", limit = DEFAULT_LIMIT, cursor } = filter
  const rows = await store.events.find({
    ...filterOf(filter),
    ...{ order, cursor, limit: Math.max(0, Math.floor(limit)) },
  })
  return rows.map(storedEvent)
}

function filterOf({
  text = "",
  types,
  order: _order,
  limit: _limit,
  cursor: _cursor,
  ...rest
}: LogFilter): EventFilter {
  return { ...rest, words: searchWords(text), types: types?.flatMap(storedTypes) }
}

/** What `followEvents` does between two looks. Resolves to false to stop. */
export type Wait = () => Promise<boolean>

/** Yields every event written from now on, or after a given one, in the order of writing. */
export async function* followEvents(
  store: RecordStore,
  filter: Omit<LogFilter, "cursor" | "order">,
  { wait, after }: { readonly wait: Wait; readonly after?: number },
): AsyncGenerator<StoredEvent> {
  const { events } = store
  const wanted = filterOf(filter)
  let last = after ?? (await events.lastId())
  for (;;) {
    const newest = await events.lastId()
    while (last < newest) {
      const rows = await events.written(wanted, { after: last, upTo: newest, limit: PAGE })
      yield* rows.map(storedEvent)
      last = rows.length < PAGE ? newest : (rows.at(-1)?.id ?? newest)
    }
    if (!(await wait())) return
  }
}

const PAGE = 500

/** Whether it contains a word that can be looked up. */
export function isSearchable(text: string): boolean {
  return searchWords(text).length > 0
}

function searchWords(text: string): readonly string[] {
  // A word of punctuation alone cannot be looked up.
  const words = text.replaceAll("\0", " ").split(/\s+/)
  return words.filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word)).slice(0, MOST_WORDS)
}
