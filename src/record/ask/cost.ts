// What calls cost, by day, session, person, model, turn, section or file. Days and totals come from sums that outlive
// the events. A caller with limited sight gets sums over only the events that it may see. Every token has one kind, and
// a call without a known price is counted as unpriced, never as free.
import type { CostKey } from "../../base/cost-keys.ts"
import { byCodePoint } from "../../base/order.ts"
import type { Database, Row, Value } from "../../database/sqlite/database.ts"
import { CALLS, IS_CALL, QUARTER_MS } from "./call-sums.ts"
import { eventsFor, type Sight, seenBy } from "./visibility.ts"
import { localDay } from "./zone.ts"

/** What costs are summed by, and over which time. */
export interface CostOptions {
  readonly by: CostKey
  /** Milliseconds since 1970; widened to whole quarters of an hour, the resolution of the sums. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly timeZone: string
  readonly sight?: Sight | undefined
}

/** Tokens and dollars of several calls. */
export interface CostSums {
  /** Null for sections and files: a call has many of them. */
  readonly calls: number | null
  /** Calls without a known price; they are in no sum of dollars. For a section or file: parts of calls. */
  readonly unpriced: number
  readonly uncached: number
  readonly read: number
  readonly write: number
  readonly output: number
  /** Null if no call has a known price. */
  readonly costUsd: number | null
}

/** The costs of one day, session, model or another key. */
export interface CostRow extends CostSums {
  readonly key: string
}

/** Costs in rows, with their total. */
export interface CostReport {
  readonly by: CostKey
  /** After widening; absent if the range is open. */
  readonly since?: number
  readonly until?: number
  readonly timeZone: string
  /** Days in order, others by cost; unknown costs come first. */
  readonly rows: readonly CostRow[]
  readonly total: CostSums
  /** The turns with calls in the range, counting only those calls. */
  readonly turns: { readonly count: number; readonly averageUsd: number | null; readonly unpriced: number }
  /** Calls whose tokens are unknown, too. */
  readonly unmeasured: number
}

/** Sums up what model calls cost: by day, session, user, model, turn, section or file. */
export function costs(database: Database, options: CostOptions): CostReport {
  const { by, timeZone } = options
  const range = rangeOf(options)
  const source = sourceOf(options, range)
  const keyed = read(database, source, KEYS[by])
  const rows = by === "day" ? byDay(keyed, timeZone) : keyed.toSorted(mostExpensiveFirst)
  const [sums] = read(database, source, "''")
  const total = sums === undefined ? none(source.isInput) : sumsOf(sums)
  return {
    by,
    ...(range.first > Number.MIN_SAFE_INTEGER && { since: range.first * QUARTER_MS }),
    ...(range.end < Number.MAX_SAFE_INTEGER && { until: range.end * QUARTER_MS }),
    timeZone,
    rows,
    total:
      sums !== undefined && source.isInput ? { ...total, unpriced: unpricedCalls(database, range) } : total,
    turns: turnsOf(database, options, range),
    unmeasured: unmeasured(database, options, range),
  }
}

/** Whole quarters; the end is excluded. */
interface Range {
  readonly first: number
  readonly end: number
}

function rangeOf({ since, until }: CostOptions): Range {
  return {
    first: since === undefined ? Number.MIN_SAFE_INTEGER : Math.floor(since / QUARTER_MS),
    end: until === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(until / QUARTER_MS),
  }
}

/** A query that returns rows of one shape, from any table. */
interface Source {
  readonly sql: string
  readonly values: readonly Value[]
  /** Sections and files: parts of the input only. */
  readonly isInput: boolean
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

const SECTIONS = `SELECT quarter, section, path, NULL AS calls, unpriced, fresh, cache_read, cache_write, output,
  cost_usd FROM section_costs WHERE quarter >= ? AND quarter < ?`

const SUMS = `SELECT quarter, session_id, user_id, model, calls, unpriced, fresh, cache_read, cache_write, output,
  cost_usd FROM costs WHERE quarter >= ? AND quarter < ?`

const TURNS = `SELECT quarter, turn_id, calls, unpriced, fresh, cache_read, cache_write, output, cost_usd FROM turn_costs
  WHERE quarter >= ? AND quarter < ?`

function sourceOf(options: CostOptions, range: Range): Source {
  const { by, sight } = options
  const quarters = [range.first, range.end]
  // A section's session is known, but not whose turn it was: only a caller with full sight sees it.
  if (by === "section" || by === "file")
    return { sql: sight === undefined ? SECTIONS : `${SECTIONS} AND 0`, values: quarters, isInput: true }
  if (sight === undefined) return { sql: by === "turn" ? TURNS : SUMS, values: quarters, isInput: false }
  const { sql, values } = eventsIn(options, range)
  return {
    sql: `${CALLS} ${eventsFor(sight)} WHERE ${IS_CALL} AND ${sql}`,
    values,
    isInput: false,
  }
}

function eventsIn({ sight }: CostOptions, { first, end }: Range) {
  const seen = seenBy(sight)
  return {
    sql: `timestamp >= ? AND timestamp < ? AND ${seen.sql}`,
    values: [instant(first), instant(end), ...seen.values],
  }
}

/** As stored in the column; a time beyond all dates sorts before or after all texts. */
function instant(quarter: number): string {
  if (quarter === Number.MIN_SAFE_INTEGER) return ""
  return quarter === Number.MAX_SAFE_INTEGER ? "~" : new Date(quarter * QUARTER_MS).toISOString()
}

function read(database: Database, { sql, values, isInput }: Source, key: string): readonly CostRow[] {
  const grouped = `SELECT ${key} AS key, sum(calls) AS calls, sum(unpriced) AS unpriced, sum(fresh) AS fresh,
    sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(output) AS output, sum(cost_usd) AS cost_usd
    FROM (${sql}) GROUP BY 1 ORDER BY 1`
  return database.all(grouped, ...values).map((row) => summed(row, isInput))
}

function summed(row: Row, isInput: boolean): CostRow {
  return withCost({
    key: String(row.key),
    calls: isInput ? null : Number(row.calls),
    unpriced: Number(row.unpriced),
    uncached: Number(row.fresh),
    read: Number(row.cache_read),
    write: Number(row.cache_write),
    output: Number(row.output),
    costUsd: Number(row.cost_usd),
  })
}

function withCost(row: CostRow): CostRow {
  // For sections and files, the number of calls is unknown; only the number without a price is known.
  const isUnknown =
    row.calls === null ? row.unpriced > 0 && row.costUsd === 0 : row.calls > 0 && row.calls === row.unpriced
  return isUnknown ? { ...row, costUsd: null } : row
}

function sumsOf({ key, ...sums }: CostRow): CostSums {
  return sums
}

function none(isInput: boolean): CostSums {
  return { calls: isInput ? null : 0, unpriced: 0, uncached: 0, read: 0, write: 0, output: 0, costUsd: 0 }
}

/** From the calls: each unpriced call has several unpriced sections. */
function unpricedCalls(database: Database, { first, end }: Range): number {
  const asked = "SELECT sum(unpriced) AS calls FROM costs WHERE quarter >= ? AND quarter < ?"
  return Number(database.get(asked, first, end)?.calls ?? 0)
}

/** If a clock changes within a quarter, which is very rare, that quarter belongs to the day of its start. */
function byDay(quarters: readonly CostRow[], timeZone: string): readonly CostRow[] {
  const days = Map.groupBy(quarters, ({ key }) => localDay(Number(key) * QUARTER_MS, timeZone))
  return [...days]
    .map(([day, rows]) => ({ key: day, ...sumsOf(rows.reduce(added)) }))
    .toSorted((one, other) => byCodePoint(one.key, other.key))
}

function added(one: CostRow, other: CostRow): CostRow {
  return withCost({
    key: one.key,
    calls: (one.calls ?? 0) + (other.calls ?? 0),
    unpriced: one.unpriced + other.unpriced,
    uncached: one.uncached + other.uncached,
    read: one.read + other.read,
    write: one.write + other.write,
    output: one.output + other.output,
    costUsd: (one.costUsd ?? 0) + (other.costUsd ?? 0),
  })
}

/** With equal cost, such as zero, by tokens. */
function mostExpensiveFirst(one: CostRow, other: CostRow): number {
  const tokens = ({ uncached, read, write, output }: CostRow) => uncached + read + write + output
  const difference = (other.costUsd ?? Number.MAX_VALUE) - (one.costUsd ?? Number.MAX_VALUE)
  return difference || tokens(other) - tokens(one) || byCodePoint(one.key, other.key)
}

const TURN_TOTALS = `SELECT sum(turns) AS turns, sum(unpriced) - coalesce(sum(loose), 0) AS unpriced,
  sum(calls) - coalesce(sum(loose_calls), 0) AS calls, sum(cost_usd) - coalesce(sum(loose_usd), 0) AS cost_usd FROM (
  SELECT turns, unpriced, calls, cost_usd, 0 AS loose, 0 AS loose_calls, 0 AS loose_usd FROM costs
  UNION ALL SELECT 0, 0, 0, 0, unpriced, calls, cost_usd FROM turn_costs WHERE turn_id = '')`

/**
 * Calls outside turns are in no average. A turn across the end of a range counts on both sides, with its calls there.
 */
function turnsOf(database: Database, options: CostOptions, range: Range): CostReport["turns"] {
  const { since, until, sight } = options
  // For all time, the turns are counted already; there may be a million of them.
  if (since === undefined && until === undefined && sight === undefined)
    return turnsFrom(database.get(TURN_TOTALS))
  const { sql, values } = sourceOf({ ...options, by: "turn" }, range)
  const found = database.get(
    `SELECT count(DISTINCT turn_id) AS turns, sum(unpriced) AS unpriced, sum(calls) AS calls, sum(cost_usd) AS cost_usd
    FROM (${sql}) WHERE turn_id <> ''`,
    ...values,
  )
  return turnsFrom(found)
}

function turnsFrom(row: Row | undefined): CostReport["turns"] {
  const count = Number(row?.turns ?? 0)
  const unpriced = Number(row?.unpriced ?? 0)
  const isUnknown = count === 0 || unpriced === Number(row?.calls)
  return { count, averageUsd: isUnknown ? null : Number(row?.cost_usd) / count, unpriced }
}

function unmeasured(database: Database, options: CostOptions, range: Range): number {
  const { sql, values } = eventsIn(options, range)
  const table = eventsFor(options.sight, "idx_events_unmeasured")
  const asked = `SELECT count(*) AS calls FROM ${table} WHERE event_type = 'api_call' AND fresh IS NULL AND ${sql}`
  return Number(database.get(asked, ...values)?.calls ?? 0)
}
