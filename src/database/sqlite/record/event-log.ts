// Questions about the events in a record's file. Newest first by time, without sorting: each filter has an index in that
// order. With words, the text index leads, and results are in the order of writing.
import type { EventLog, EventPage, Sight } from "../../contract/record/event-log.ts"
import type { EventRow } from "../../contract/record/event-row.ts"
import type { Database, Row, Value } from "../database.ts"
import { allOf, type Condition, conditionsOf, eventsFor, seenBy } from "./conditions.ts"
import { lastEventId } from "./insert.ts"
import type { RecordFile } from "./record-file.ts"
import { channelsIn, oldestIn, sessionsIn } from "./status.ts"
import { matchOf } from "./text-match.ts"

export function eventLogIn(file: RecordFile): EventLog {
  return {
    find: (page) => file.ask((database) => find(database, page)),
    count: (filter, limit) =>
      file.ask((database) => countOf(database, { where: allOf(conditionsOf(filter)), limit, ...filter })),
    written: (filter, range) => file.ask((database) => written(database, filter, range)),
    lastId: () => file.ask(lastEventId),
    trace: (id, options) => file.ask((database) => trace(database, id, options)),
    latestTurn: (asked) => file.ask((database) => latestTurn(database, asked)),
    latest: (session, type) => file.ask((database) => firstRow(database, LATEST, session, type)),
    answer: (turn, step) => file.ask((database) => firstRow(database, ANSWER, turn, step)),
    calls: (turns) =>
      file.ask((database) => turns.flatMap((turn) => database.all(CALLS, turn).map(eventRow))),
    channels: (since, sight) => file.ask((database) => channelsIn(database, since, sight)),
    sessions: (since, sight) => file.ask((database) => sessionsIn(database, since, sight)),
    oldest: () => file.ask(oldestIn),
  }
}

/** Only `insertEvent` writes these columns; whoever reads a row checks what it depends on. */
function eventRow(row: Row): EventRow {
  return row as unknown as EventRow
}

function firstRow(database: Database, sql: string, ...values: readonly Value[]): EventRow | undefined {
  const row = database.get(sql, ...values)
  return row && eventRow(row)
}

function find(database: Database, page: EventPage): readonly EventRow[] {
  const { order, limit, words = [], sight } = page
  const direction = order === "newest" ? "DESC" : "ASC"
  const isText = words.length > 0
  const { sql, values } = allOf([
    ...(isText ? [{ sql: "events_text MATCH ?", values: [matchOf(words, page)] }] : []),
    ...conditionsOf(page),
    ...cursorOf(database, page, isText),
  ])
  // CROSS: the text index leads, whatever the planner estimates.
  const from = isText ? "events_text CROSS JOIN events ON events.id = events_text.rowid" : eventsFor(sight)
  const by = isText
    ? `events_text.rowid ${direction}`
    : `events.timestamp ${direction}, events.id ${direction}`
  return database
    .all(`SELECT events.* FROM ${from} WHERE ${sql} ORDER BY ${by} LIMIT ?`, ...values, limit)
    .map(eventRow)
}

function cursorOf(database: Database, page: EventPage, isText: boolean): readonly Condition[] {
  const { cursor, order } = page
  if (cursor === undefined) return []
  const sign = order === "newest" ? "<" : ">"
  const at = isText ? undefined : database.get("SELECT timestamp FROM events WHERE id = ?", cursor)?.timestamp
  // The event may have been pruned; then its id gives nearly the same position.
  if (at === undefined) return [{ sql: `events.id ${sign} ?`, values: [cursor] }]
  return [{ sql: `(events.timestamp, events.id) ${sign} (?, ?)`, values: [at, cursor] }]
}

interface Counted {
  readonly where: Condition
  readonly sight?: Sight | undefined
  readonly limit: number
}

function countOf(database: Database, { where: { sql, values }, sight, limit }: Counted): number {
  const counted = `SELECT count(*) AS found FROM (SELECT 1 FROM ${eventsFor(sight)} WHERE ${sql} LIMIT ?)`
  return Number(database.get(counted, ...values, limit)?.found)
}

function written(
  database: Database,
  filter: Parameters<EventLog["written"]>[0],
  { after, upTo, limit }: Parameters<EventLog["written"]>[1],
): readonly EventRow[] {
  const { words = [] } = filter
  const { sql, values } = allOf([
    { sql: "events.id > ? AND events.id <= ?", values: [after, upTo] },
    ...conditionsOf(filter),
    ...(words.length === 0
      ? []
      : [
          {
            sql: "events.id IN (SELECT rowid FROM events_text WHERE events_text MATCH ? AND rowid > ?)",
            values: [matchOf(words, filter), after],
          },
        ]),
  ])
  return (
    database
      // NOT INDEXED: there are few new events, and they are in the order of writing.
      .all(`SELECT * FROM events NOT INDEXED WHERE ${sql} ORDER BY id LIMIT ?`, ...values, limit)
      .map(eventRow)
  )
}

function trace(
  database: Database,
  id: string,
  { sight, limit }: Parameters<EventLog["trace"]>[1],
): { readonly rows: readonly EventRow[]; readonly count: number } {
  const table = eventsFor(sight)
  const named = allOf([{ sql: "turn_id = ? OR trace_id = ?", values: [id, id] }, seenBy(sight)])
  const found = database.all(`SELECT DISTINCT trace_id FROM ${table} WHERE ${named.sql}`, ...named.values)
  const traces = found.flatMap(({ trace_id }) => trace_id ?? [])
  const marks = traces.map(() => "?").join(", ")
  const where = allOf([
    { sql: `turn_id = ? OR trace_id IN (${marks})`, values: [id, ...traces] },
    seenBy(sight),
  ])
  const rows = database.all(
    `SELECT * FROM ${table} WHERE ${where.sql} ORDER BY timestamp, id LIMIT ?`,
    ...where.values,
    limit,
  )
  const count = rows.length < limit ? rows.length : countOf(database, { where, sight, limit: -1 })
  return { rows: rows.map(eventRow), count }
}

function latestTurn(
  database: Database,
  { session, sight, besides = "" }: Parameters<EventLog["latestTurn"]>[0],
): string | undefined {
  const { sql, values } = allOf([
    { sql: "turn_id IS NOT NULL AND turn_id <> ?", values: [besides] },
    ...conditionsOf({ session, sight }),
  ])
  const row = database.get(
    `SELECT turn_id FROM ${eventsFor(sight)} WHERE ${sql} ORDER BY id DESC LIMIT 1`,
    ...values,
  )
  return row && String(row.turn_id)
}

const LATEST = "SELECT * FROM events WHERE session_id = ? AND event_type = ? ORDER BY id DESC LIMIT 1"

const CALLS = "SELECT * FROM events WHERE turn_id = ? AND event_type IN ('api_call', 'api_error') ORDER BY id"

const ANSWER = `SELECT * FROM events
WHERE turn_id = ? AND step = ? AND event_type = 'api_call' AND fresh IS NOT NULL ORDER BY id DESC LIMIT 1`
