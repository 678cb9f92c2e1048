// Adds the calls of a batch to the sums behind cost queries, which outlive the events. Called by whoever holds the lock on
// the event log, so that a turn is counted once.
import { type PartCost, QUARTER_MS } from "../../contract/record/costs.ts"
import type { NewEventRow } from "../../contract/record/event-row.ts"
import type { Statements, Value } from "../postgres.ts"

const FIGURES = ["calls", "unpriced", "fresh", "cache_read", "cache_write", "output", "cost_usd"] as const
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>

interface Call extends Figures {
  readonly quarter: number
  readonly session: string
  readonly user: string
  readonly model: string
  readonly turn: string
}

/** `known`: the turns among them that have been counted before. */
export async function addCalls(
  statements: Statements,
  rows: readonly NewEventRow[],
  known: ReadonlySet<string>,
): Promise<void> {
  const calls = rows.filter(isCall).map(callOf)
  if (calls.length === 0) return
  const counted = new Set([...known, ""])
  const withTurns = calls.map((call) => {
    const turns = counted.has(call.turn) ? 0 : 1
    counted.add(call.turn)
    return { ...call, turns }
  })
  await Promise.all([addSums(statements, withTurns, COSTS), addSums(statements, withTurns, TURN_COSTS)])
}

/** The turns of the calls in a batch. */
export function turnsOf(rows: readonly NewEventRow[]): readonly string[] {
  return [...new Set(rows.filter(isCall).flatMap(({ turn_id }) => turn_id ?? []))]
}

function isCall({ event_type, fresh }: NewEventRow): boolean {
  return event_type === "api_call" && fresh !== null
}

function callOf(row: NewEventRow): Call {
  const [fresh, read] = [row.fresh ?? 0, row.cache_read ?? 0]
  return {
    quarter: Math.trunc(Date.parse(row.timestamp) / QUARTER_MS),
    session: row.session_id ?? "",
    user: row.user_id ?? "",
    model: row.model ?? "",
    turn: row.turn_id ?? "",
    calls: 1,
    unpriced: row.cost_usd === null ? 1 : 0,
    fresh,
    cache_read: read,
    cache_write: (row.tokens_in ?? 0) - fresh - read,
    output: row.tokens_out ?? 0,
    cost_usd: row.cost_usd ?? 0,
  }
}

/** A table of sums: its key, and the numbers that are added up. */
interface Sums<T> {
  readonly table: string
  /** By column, `quarter` first. */
  readonly key: Readonly<Record<string, (item: T) => string | number>>
  readonly added: Readonly<Record<string, (item: T) => number>>
}

const figures = Object.fromEntries(FIGURES.map((name) => [name, (call: Figures) => call[name]]))

const COSTS: Sums<Call & { readonly turns: number }> = {
  table: "record_costs",
  key: {
    quarter: ({ quarter }) => quarter,
    session_id: ({ session }) => session,
    user_id: ({ user }) => user,
    model: ({ model }) => model,
  },
  added: { ...figures, turns: ({ turns }) => turns },
}

const TURN_COSTS: Sums<Call> = {
  table: "record_turn_costs",
  key: { quarter: ({ quarter }) => quarter, turn_id: ({ turn }) => turn },
  added: figures,
}

type QuarterPart = PartCost & { readonly quarter: number }

const SECTION_COSTS: Sums<QuarterPart> = {
  table: "record_section_costs",
  key: {
    quarter: ({ quarter }) => quarter,
    section: ({ section }) => section,
    path: ({ path }) => path,
  },
  added: {
    unpriced: ({ unpriced }) => unpriced,
    fresh: ({ fresh }) => fresh,
    cache_read: ({ cacheRead }) => cacheRead,
    cache_write: ({ cacheWrite }) => cacheWrite,
    output: ({ output }) => output,
    cost_usd: ({ costUsd }) => costUsd,
  },
}

export async function addParts(statements: Statements, parts: readonly QuarterPart[]): Promise<void> {
  if (parts.length > 0) await addSums(statements, parts, SECTION_COSTS)
}

/** Added up here first: one statement cannot change a row twice. */
function addSums<T>(statements: Statements, items: readonly T[], sums: Sums<T>): Promise<number> {
  const { table, key, added } = sums
  const keys = Object.keys(key)
  const names = Object.keys(added)
  const groups = Map.groupBy(items, (item) => JSON.stringify(keys.map((name) => key[name]?.(item))))
  const whole = [...groups.values()]
  const keyValues = keys.map((name) =>
    whole.map(([item]) => (item === undefined ? "" : (key[name]?.(item) ?? ""))),
  )
  const sumValues = names.map((name) =>
    whole.map((group) => group.reduce((sum, item) => sum + (added[name]?.(item) ?? 0), 0)),
  )
  const types = [
    ...keys.map((name) => (name === "quarter" ? "bigint" : "text")),
    ...names.map(() => "float8"),
  ]
  const arrays = types.map((type, at) => `$${at + 1}::${type}[]`)
  return statements.run(
    `INSERT INTO ${table} AS old (${[...keys, ...names].join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})
    ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${names.map((name) => `${name} = old.${name} + excluded.${name}`).join(", ")}`,
    // Each list has one kind of values.
    ...([...keyValues, ...sumValues] as readonly Value[]),
  )
}
