// Questions about the events on PostgreSQL. By time without sorting: each filter has an index in that order, and the
// partitions are in it, too.
import type { EventFilter, EventLog, EventPage } from "../../contract/record/event-log.ts"
import type { EventRow } from "../../contract/record/event-row.ts"
import type { Postgres, Statements, Value } from "../postgres.ts"
import { allOf, type Condition, conditionsOf, numbered, seenBy } from "./conditions.ts"
import { COLUMNS, eventRow } from "./event-rows.ts"
import { channelsIn, oldestIn, sessionsIn } from "./status.ts"

export function eventLogOn(postgres: Postgres): EventLog {
  return {
    find: (page) => find(postgres, page),
    count: (filter, limit) => countOf(postgres, allOf(conditionsOf(filter)), limit),
    written: (filter, range) => written(postgres, filter, range),
    lastId: () => lastId(postgres),
    trace: (id, options) => trace(postgres, id, options),
    latestTurn: (asked) => latestTurn(postgres, asked),
    latest: (session, type) => first(postgres, LATEST, session, type),
    answer: (turn, step) => first(postgres, ANSWER, turn, step),
    calls: (turns) => rowsOf(postgres, CALLS, [turns]),
    channels: (since, sight) => channelsIn(postgres, since, sight),
    sessions: (since, sight) => sessionsIn(postgres, since, sight),
    oldest: () => oldestIn(postgres),
  }
}

export async function lastId(statements: Statements): Promise<number> {
  return Number((await statements.get("SELECT last FROM record_last"))?.last ?? 0)
}

async function rowsOf(
  statements: Statements,
  sql: string,
  values: readonly Value[],
): Promise<readonly EventRow[]> {
  return (await statements.all(numbered(sql), ...values)).map(eventRow)
}

async function first(statements: Statements, sql: string, ...values: readonly Value[]) {
  const [row] = await rowsOf(statements, sql, values)
  return row
}

async function find(statements: Statements, page: EventPage): Promise<readonly EventRow[]> {
  const { order, limit, words = [] } = page
  const direction = order === "newest" ? "DESC" : "ASC"
  const isText = words.length > 0
  const cursor = await cursorOf(statements, page, isText)
  const { sql, values } = allOf([...conditionsOf(page), ...cursor])
  const by = isText ? `id ${direction}` : `at ${direction}, id ${direction}`
  return rowsOf(statements, `SELECT ${COLUMNS} FROM record_events WHERE ${sql} ORDER BY ${by} LIMIT ?`, [
    ...values,
    limit,
  ])
}

async function cursorOf(
  statements: Statements,
  { cursor, order }: EventPage,
  isText: boolean,
): Promise<readonly Condition[]> {
  if (cursor === undefined) return []
  const sign = order === "newest" ? "<" : ">"
  const row = isText ? undefined : await statements.get("SELECT at FROM record_events WHERE id = $1", cursor)
  // The event may have been pruned; then its id gives nearly the same position.
  if (row === undefined) return [{ sql: `id ${sign} ?`, values: [cursor] }]
  return [{ sql: `(at, id) ${sign} (?, ?)`, values: [Number(row.at), cursor] }]
}

async function countOf(statements: Statements, { sql, values }: Condition, limit: number): Promise<number> {
  const counted = `SELECT count(*) AS found FROM (SELECT 1 FROM record_events WHERE ${sql} LIMIT ?) AS counted`
  return Number((await statements.get(numbered(counted), ...values, limit))?.found)
}

function written(
  statements: Statements,
  filter: EventFilter,
  { after, upTo, limit }: Parameters<EventLog["written"]>[1],
): Promise<readonly EventRow[]> {
  const { sql, values } = allOf([
    { sql: "id > ? AND id <= ?", values: [after, upTo] },
    ...conditionsOf(filter),
  ])
  return rowsOf(statements, `SELECT ${COLUMNS} FROM record_events WHERE ${sql} ORDER BY id LIMIT ?`, [
    ...values,
    limit,
  ])
}

async function trace(
  statements: Statements,
  id: string,
  { sight, limit }: Parameters<EventLog["trace"]>[1],
): Promise<{ readonly rows: readonly EventRow[]; readonly count: number }> {
  const named = allOf([{ sql: "turn_id = ? OR trace_id = ?", values: [id, id] }, seenBy(sight)])
  const found = await statements.all(
    numbered(`SELECT DISTINCT trace_id FROM record_events WHERE ${named.sql}`),
    ...named.values,
  )
  const traces = found.flatMap(({ trace_id }) => (trace_id === null ? [] : [String(trace_id)]))
  const where = allOf([
    { sql: "turn_id = ? OR trace_id = ANY(?::text[])", values: [id, traces] },
    seenBy(sight),
  ])
  const rows = await rowsOf(
    statements,
    `SELECT ${COLUMNS} FROM record_events WHERE ${where.sql} ORDER BY at, id LIMIT ?`,
    [...where.values, limit],
  )
  const count = rows.length < limit ? rows.length : await countOf(statements, where, Number.MAX_SAFE_INTEGER)
  return { rows, count }
}

async function latestTurn(
  statements: Statements,
  { session, sight, besides = "" }: Parameters<EventLog["latestTurn"]>[0],
): Promise<string | undefined> {
  const { sql, values } = allOf([
    { sql: "turn_id IS NOT NULL AND turn_id <> ?", values: [besides] },
    ...conditionsOf({ session, sight }),
  ])
  const row = await statements.get(
    numbered(`SELECT turn_id FROM record_events WHERE ${sql} ORDER BY id DESC LIMIT 1`),
    ...values,
  )
  return row && String(row.turn_id)
}

const LATEST = `SELECT ${COLUMNS} FROM record_events WHERE session_id = ? AND event_type = ? ORDER BY id DESC LIMIT 1`

const CALLS = `SELECT ${COLUMNS} FROM record_events
WHERE turn_id = ANY(?::text[]) AND event_type IN ('api_call', 'api_error') ORDER BY id`

const ANSWER = `SELECT ${COLUMNS} FROM record_events
WHERE turn_id = ? AND step = ? AND event_type = 'api_call' AND fresh IS NOT NULL ORDER BY id DESC LIMIT 1`
