// What calls cost, from the sums in a record's file; for a caller with limited sight, from the events that it sees.
import type { CostKey } from "../../../base/cost-keys.ts"
import {
  type CostAnswer,
  type CostFigures,
  type CostQuestion,
  type KeyedFigures,
  QUARTER_MS,
} from "../../contract/record/costs.ts"
import type { Database, Row, Value } from "../database.ts"
import { CALLS, IS_CALL } from "./call-sums.ts"
import { eventsFor, seenBy } from "./conditions.ts"

export function costsIn(database: Database, question: CostQuestion): CostAnswer {
  const source = sourceOf(question)
  return {
    rows: read(database, source, KEYS[question.by]),
    total: read(database, source, "''")[0],
    turns: turnsOf(database, question),
    unpricedCalls: unpricedCalls(database, question),
    unmeasured: unmeasured(database, question),
  }
}

export function sessionCostsIn(database: Database, sessions: readonly string[]): readonly KeyedFigures[] {
  return sessions.flatMap((session) => read(database, { sql: OF_SESSION, values: [session] }, KEYS.session))
}

/** A query that returns rows of one shape, from any table. */
interface Source {
  readonly sql: string
  readonly values: readonly Value[]
}

const KEYS: Readonly<Record<CostKey, string>> = {
  day: "quarter",
  session: "session_id",
  user: "user_id",
  model: "model",
  turn: "turn_id",
  section: "section",
  file: "path",
}

const SECTIONS = `SELECT quarter, section, path, 0 AS calls, unpriced, fresh, cache_read, cache_write, output,
  cost_usd FROM section_costs WHERE quarter >= ? AND quarter < ?`

const SUMS = `SELECT quarter, session_id, user_id, model, calls, unpriced, fresh, cache_read, cache_write, output,
  cost_usd FROM costs WHERE quarter >= ? AND quarter < ?`

const OF_SESSION = `SELECT session_id, calls, unpriced, fresh, cache_read, cache_write, output, cost_usd
  FROM costs WHERE session_id = ?`

const TURNS = `SELECT quarter, turn_id, calls, unpriced, fresh, cache_read, cache_write, output, cost_usd FROM turn_costs
  WHERE quarter >= ? AND quarter < ?`

function sourceOf(question: CostQuestion): Source {
  const { by, sight } = question
  const quarters = quartersOf(question)
  // A section's session is known, but not whose turn it was: only a caller with full sight sees it.
  if (by === "section" || by === "file")
    return { sql: sight === undefined ? SECTIONS : `${SECTIONS} AND 0`, values: quarters }
  if (sight === undefined) return { sql: by === "turn" ? TURNS : SUMS, values: quarters }
  const { sql, values } = eventsIn(question)
  return { sql: `${CALLS} ${eventsFor(sight)} WHERE ${IS_CALL} AND ${sql}`, values }
}

function quartersOf({ first, end }: CostQuestion): readonly [number, number] {
  return [first ?? Number.MIN_SAFE_INTEGER, end ?? Number.MAX_SAFE_INTEGER]
}

function eventsIn({ sight, first, end }: CostQuestion) {
  const seen = seenBy(sight)
  // As stored in the column; these sort before and after all dates.
  const from = first === undefined ? "" : isoOf(first)
  const to = end === undefined ? "~" : isoOf(end)
  return {
    sql: `timestamp >= ? AND timestamp < ? AND ${seen.sql}`,
    values: [from, to, ...seen.values],
  }
}

function isoOf(quarter: number): string {
  return new Date(quarter * QUARTER_MS).toISOString()
}

function read(database: Database, { sql, values }: Source, key: string): readonly KeyedFigures[] {
  const grouped = `SELECT ${key} AS key, sum(calls) AS calls, sum(unpriced) AS unpriced, sum(fresh) AS fresh,
    sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(output) AS output, sum(cost_usd) AS cost_usd
    FROM (${sql}) GROUP BY 1 ORDER BY 1`
  return database.all(grouped, ...values).map((row) => ({ key: String(row.key), ...figuresOf(row) }))
}

function figuresOf(row: Row): CostFigures {
  return {
    calls: Number(row.calls),
    unpriced: Number(row.unpriced),
    fresh: Number(row.fresh),
    cacheRead: Number(row.cache_read),
    cacheWrite: Number(row.cache_write),
    output: Number(row.output),
    costUsd: Number(row.cost_usd),
  }
}

function unpricedCalls(database: Database, question: CostQuestion): number {
  const asked = "SELECT sum(unpriced) AS calls FROM costs WHERE quarter >= ? AND quarter < ?"
  return Number(database.get(asked, ...quartersOf(question))?.calls ?? 0)
}

const TURN_TOTALS = `SELECT sum(turns) AS turns, sum(unpriced) - coalesce(sum(loose), 0) AS unpriced,
  sum(calls) - coalesce(sum(loose_calls), 0) AS calls, sum(cost_usd) - coalesce(sum(loose_usd), 0) AS cost_usd FROM (
  SELECT turns, unpriced, calls, cost_usd, 0 AS loose, 0 AS loose_calls, 0 AS loose_usd FROM costs
  UNION ALL SELECT 0, 0, 0, 0, unpriced, calls, cost_usd FROM turn_costs WHERE turn_id = '')`

/**
 * Calls outside turns are in no average. A turn across the end of a range counts on both sides, with its calls there.
 */
function turnsOf(database: Database, question: CostQuestion): CostAnswer["turns"] {
  const { first, end, sight } = question
  // For all time, the turns are counted already; there may be a million of them.
  if (first === undefined && end === undefined && sight === undefined)
    return turnsFrom(database.get(TURN_TOTALS))
  const { sql, values } = sourceOf({ ...question, by: "turn" })
  const found = database.get(
    `SELECT count(DISTINCT turn_id) AS turns, sum(unpriced) AS unpriced, sum(calls) AS calls, sum(cost_usd) AS cost_usd
    FROM (${sql}) WHERE turn_id <> ''`,
    ...values,
  )
  return turnsFrom(found)
}

function turnsFrom(row: Row | undefined): CostAnswer["turns"] {
  return {
    count: Number(row?.turns ?? 0),
    calls: Number(row?.calls ?? 0),
    unpriced: Number(row?.unpriced ?? 0),
    costUsd: Number(row?.cost_usd ?? 0),
  }
}

function unmeasured(database: Database, question: CostQuestion): number {
  const { sql, values } = eventsIn(question)
  const table = eventsFor(question.sight, "idx_events_unmeasured")
  const asked = `SELECT count(*) AS calls FROM ${table} WHERE event_type = 'api_call' AND fresh IS NULL AND ${sql}`
  return Number(database.get(asked, ...values)?.calls ?? 0)
}
