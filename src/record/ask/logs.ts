// Queries on the event log. Newest first by time, without sorting: each filter has an index in that order. With a text,
// the text index leads, and results are in the order of writing.
import type { EventType, Level } from "../../base/event-types.ts"
import type { Database } from "../../database/sqlite/database.ts"
import type { StoredEvent } from "../write/event.ts"
import { lastEventId } from "../write/insert.ts"
import { storedEvent, storedTypes } from "../write/stored-event.ts"
import { type Condition, levelsFrom } from "./visibility.ts"

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
export function queryEvents(database: Database, filter: LogFilter = {}): readonly StoredEvent[] {
  const { order = "newest", limit = DEFAULT_LIMIT } = filter
  const words = searchWords(filter.text ?? "")
  const direction = order === "newest" ? "DESC" : "ASC"
  const isText = words.length > 0
  const conditions = [
    ...(isText ? [{ sql: "events_text MATCH ?", values: [matchOf(words, filter)] }] : []),
    ...conditionsOf(filter),
    ...cursorOf(database, filter, isText),
  ]
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(({ sql }) => sql).join(" AND ")}`
  // CROSS: the text index leads, whatever the planner estimates.
  const from = isText ? "events_text CROSS JOIN events ON events.id = events_text.rowid" : "events"
  const by = isText
    ? `events_text.rowid ${direction}`
    : `events.timestamp ${direction}, events.id ${direction}`
  return database
    .all(
      `SELECT events.* FROM ${from} ${where} ORDER BY ${by} LIMIT ?`,
      ...conditions.flatMap(({ values }) => values),
      Math.max(0, Math.floor(limit)),
    )
    .map(storedEvent)
}

/** What `followEvents` does between two looks. Resolves to false to stop. */
export type Wait = () => Promise<boolean>

/** Yields every event written from now on, or after a given one, in the order of writing. */
export async function* followEvents(
  database: Database,
  filter: Omit<LogFilter, "cursor" | "order">,
  { wait, after }: { readonly wait: Wait; readonly after?: number },
): AsyncGenerator<StoredEvent> {
  let last = after ?? lastEventId(database)
  for (;;) {
    const newest = lastEventId(database)
    while (last < newest) {
      const events = eventsBetween(database, filter, { last, newest })
      yield* events
      last = events.length < PAGE ? newest : (events.at(-1)?.id ?? newest)
    }
    if (!(await wait())) return
  }
}

const PAGE = 500

function eventsBetween(
  database: Database,
  filter: LogFilter,
  { last, newest }: { readonly last: number; readonly newest: number },
): readonly StoredEvent[] {
  const words = searchWords(filter.text ?? "")
  const conditions = [
    { sql: "events.id > ? AND events.id <= ?", values: [last, newest] },
    ...conditionsOf(filter),
    ...(words.length === 0
      ? []
      : [
          {
            sql: "events.id IN (SELECT rowid FROM events_text WHERE events_text MATCH ? AND rowid > ?)",
            values: [matchOf(words, filter), last],
          },
        ]),
  ]
  return database
    .all(
      // NOT INDEXED: there are few new events, and they are in the order of writing.
      `SELECT * FROM events NOT INDEXED WHERE ${conditions.map(({ sql }) => sql).join(" AND ")} ORDER BY id LIMIT ${PAGE}`,
      ...conditions.flatMap(({ values }) => values),
    )
    .map(storedEvent)
}

function conditionsOf(filter: LogFilter): readonly Condition[] {
  const { session, user, channel, level, types, trace, turn, since, until } = filter
  const equal = (column: string, value: string | undefined): readonly Condition[] =>
    value === undefined ? [] : [{ sql: `events.${column} = ?`, values: [value] }]
  const among = (column: string, values: readonly string[]): Condition => ({
    sql:
      values.length === 1
        ? `events.${column} = ?`
        : `events.${column} IN (${values.map(() => "?").join(", ")})`,
    values,
  })
  return [
    ...equal("session_id", session),
    ...equal("user_id", user),
    ...equal("channel", channel),
    ...equal("trace_id", trace),
    ...equal("turn_id", turn),
    ...(level === undefined || level === "debug" ? [] : [levelCondition(level)]),
    ...(types === undefined ? [] : [among("event_type", types.flatMap(storedTypes))]),
    ...(since === undefined ? [] : [{ sql: "events.timestamp >= ?", values: [isoOf(since)] }]),
    ...(until === undefined ? [] : [{ sql: "events.timestamp < ?", values: [isoOf(until)] }]),
  ]
}

/** Literals instead of parameters: SQLite uses the index of warnings and errors only for literal levels. */
function levelCondition(level: Level): Condition {
  const names = levelsFrom(level).map((name) => `'${name}'`)
  return { sql: `events.level IN (${names.join(", ")})`, values: [] }
}

/** Clamps dates to the range that can be written. */
function isoOf(ms: number): string {
  const END = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
  return new Date(Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), END)).toISOString()
}

function cursorOf(database: Database, filter: LogFilter, isText: boolean): readonly Condition[] {
  const { cursor, order = "newest" } = filter
  if (cursor === undefined) return []
  const sign = order === "newest" ? "<" : ">"
  const at = isText ? undefined : database.get("SELECT timestamp FROM events WHERE id = ?", cursor)?.timestamp
  // The event may have been pruned; then its id gives nearly the same position.
  if (at === undefined) return [{ sql: `events.id ${sign} ?`, values: [cursor] }]
  return [{ sql: `(events.timestamp, events.id) ${sign} (?, ?)`, values: [at, cursor] }]
}

/** Whether it contains a word that can be looked up. */
export function isSearchable(text: string): boolean {
  return searchWords(text).length > 0
}

function searchWords(text: string): readonly string[] {
  // A word of punctuation alone cannot be looked up.
  const words = text.replaceAll("\0", " ").split(/\s+/)
  return words.filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word)).slice(0, MOST_WORDS)
}

/**
 * All words, whole, in the error or the data. The other filters are in the index, too, so that a common word in a rare
 * session is found without visiting every event with the word. This is only a first filter.
 */
function matchOf(words: readonly string[], { session, user, level, types }: LogFilter): string {
  const searched = `{error metadata} : (${words.map(quote).join(" AND ")})`
  const among = (column: string, values: readonly string[]) =>
    values.some((value) => searchWords(value).length === 0)
      ? []
      : [`{${column}} : (${values.map(quote).join(" OR ")})`]
  return [
    searched,
    ...(session === undefined ? [] : among("session_id", [session])),
    ...(user === undefined ? [] : among("user_id", [user])),
    ...(level === undefined || level === "debug" || level === "info"
      ? []
      : among("level", levelsFrom(level))),
    ...(types === undefined || types.length === 0 ? [] : among("event_type", types.flatMap(storedTypes))),
  ].join(" AND ")
}

/** Inside quotes, nothing is an operator. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
