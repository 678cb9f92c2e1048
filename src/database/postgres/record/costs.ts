// What calls cost, from the sums on PostgreSQL; for a caller with limited sight, from the events that it sees.
import type { CostKey } from "../../../base/cost-keys.ts"
import {
  type CostAnswer,
  type CostFigures,
  type CostQuestion,
  type KeyedFigures,
  QUARTER_MS,
} from "../../contract/record/costs.ts"
import type { Row } from "../../rows/row.ts"
import type { Statements } from "../postgres.ts"
import { allOf, type Condition, numbered, seenBy } from "./conditions.ts"

/** In one transaction, so that the sums fit. */
export async function costsIn(statements: Statements, question: CostQuestion): Promise<CostAnswer> {
  const source = sourceOf(question)
  const [rows, [total], turns, unpriced, unmeasured] = await Promise.all([
    read(statements, source, KEYS[question.by]),
    read(statements, source, "''"),
    turnsOf(statements, question),
    numberOf(statements, unpricedCalls(question)),
    numberOf(statements, unmeasuredCalls(question)),
  ])
  return { rows, total, turns, unpricedCalls: unpriced, unmeasured }
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

const FIGURES = "unpriced, fresh, cache_read, cache_write, output, cost_usd"
const SECTIONS = `SELECT quarter, section, path, 0 AS calls, ${FIGURES} FROM record_section_costs`
const SUMS = `SELECT quarter, session_id, user_id, model, calls, ${FIGURES} FROM record_costs`
const TURNS = `SELECT quarter, turn_id, calls, ${FIGURES} FROM record_turn_costs`

/** Selects the calls with known tokens, each as a sum of one. */
const CALLS = `SELECT at / ${QUARTER_MS} AS quarter, coalesce(session_id, '') AS session_id,
  coalesce(user_id, '') AS user_id, coalesce(model, '') AS model, coalesce(turn_id, '') AS turn_id, 1 AS calls,
  (cost_usd IS NULL)::int AS unpriced, fresh, cache_read, tokens_in - fresh - cache_read AS cache_write,
  tokens_out AS output, coalesce(cost_usd, 0) AS cost_usd
  FROM record_events WHERE event_type = 'api_call' AND fresh IS NOT NULL`

export function sessionCostsIn(
  statements: Statements,
  sessions: readonly string[],
): Promise<readonly KeyedFigures[]> {
  const sql = `${SUMS} WHERE session_id = ANY(?::text[])`
  return read(statements, { sql, values: [sessions] }, KEYS.session)
}

/** A query that returns rows of one shape, from any table. */
function sourceOf(question: CostQuestion): Condition {
  const { by, sight } = question
  const within = quartersOf(question)
  // A section's session is known, but not whose turn it was: only a caller with full sight sees it.
  if (by === "section" || by === "file")
    return {
      sql: `${SECTIONS} WHERE ${within.sql}${sight === undefined ? "" : " AND false"}`,
      values: within.values,
    }
  if (sight === undefined)
    return { sql: `${by === "turn" ? TURNS : SUMS} WHERE ${within.sql}`, values: within.values }
  const { sql, values } = eventsIn(question)
  return { sql: `${CALLS} AND ${sql}`, values }
}

function quartersOf({ first, end }: CostQuestion): Condition {
  return allOf([
    ...(first === undefined ? [] : [{ sql: "quarter >= ?", values: [first] }]),
    ...(end === undefined ? [] : [{ sql: "quarter < ?", values: [end] }]),
  ])
}

function eventsIn({ sight, first, end }: CostQuestion): Condition {
  return allOf([
    ...(first === undefined ? [] : [{ sql: "at >= ?", values: [first * QUARTER_MS] }]),
    ...(end === undefined ? [] : [{ sql: "at < ?", values: [end * QUARTER_MS] }]),
    seenBy(sight),
  ])
}

async function read(
  statements: Statements,
  { sql, values }: Condition,
  key: string,
): Promise<readonly KeyedFigures[]> {
  const grouped = `SELECT ${key} AS key, sum(calls) AS calls, sum(unpriced) AS unpriced, sum(fresh) AS fresh,
    sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(output) AS output, sum(cost_usd) AS cost_usd
    FROM (${sql}) AS source GROUP BY 1 ORDER BY 1`
  const rows = await statements.all(numbered(grouped), ...values)
  return rows.map((row) => ({ key: String(row.key), ...figuresOf(row) }))
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

const TURN_TOTALS = `SELECT sum(turns) AS turns, sum(unpriced) - sum(loose) AS unpriced,
  sum(calls) - sum(loose_calls) AS calls, sum(cost_usd) - sum(loose_usd) AS cost_usd FROM (
  SELECT turns, unpriced, calls, cost_usd, 0 AS loose, 0 AS loose_calls, 0 AS loose_usd FROM record_costs
  UNION ALL SELECT 0, 0, 0, 0, unpriced, calls, cost_usd FROM record_turn_costs WHERE turn_id = '') AS source`

/** Calls outside turns are in no average. */
async function turnsOf(statements: Statements, question: CostQuestion): Promise<CostAnswer["turns"]> {
  const { first, end, sight } = question
  // For all time, the turns are counted already; there may be a million of them.
  if (first === undefined && end === undefined && sight === undefined)
    return turnsFrom(await statements.get(TURN_TOTALS))
  const { sql, values } = sourceOf({ ...question, by: "turn" })
  const asked = `SELECT count(DISTINCT turn_id) AS turns, sum(unpriced) AS unpriced, sum(calls) AS calls,
    sum(cost_usd) AS cost_usd FROM (${sql}) AS source WHERE turn_id <> ''`
  return turnsFrom(await statements.get(numbered(asked), ...values))
}

function turnsFrom(row: Row | undefined): CostAnswer["turns"] {
  return {
    count: Number(row?.turns ?? 0),
    calls: Number(row?.calls ?? 0),
    unpriced: Number(row?.unpriced ?? 0),
    costUsd: Number(row?.cost_usd ?? 0),
  }
}

function unpricedCalls(question: CostQuestion): Condition {
  const { sql, values } = quartersOf(question)
  return { sql: `SELECT sum(unpriced) AS found FROM record_costs WHERE ${sql}`, values }
}

function unmeasuredCalls(question: CostQuestion): Condition {
  const { sql, values } = eventsIn(question)
  const asked = "SELECT count(*) AS found FROM record_events WHERE event_type = 'api_call' AND fresh IS NULL"
  return { sql: `${asked} AND ${sql}`, values }
}

async function numberOf(statements: Statements, { sql, values }: Condition): Promise<number> {
  return Number((await statements.get(numbered(sql), ...values))?.found ?? 0)
}
