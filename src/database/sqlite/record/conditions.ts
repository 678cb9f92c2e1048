// Filters of events as SQL. What a caller may not see is excluded by the query itself, so hidden events are never read,
// counted or summed.
import { LEVELS, type Level } from "../../../base/event-types.ts"
import { TRUSTS } from "../../../base/trust.ts"
import type { EventFilter, Sight } from "../../contract/record/event-log.ts"
import type { Value } from "../database.ts"

/** A condition on rows of `events`, with its parameters. */
export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length === 0 ? "1" : conditions.map(({ sql }) => `(${sql})`).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  }
}

export function seenBy(sight: Sight | undefined): Condition {
  if (sight === undefined) return { sql: "1", values: [] }
  const { session, user, trust } = sight
  const levels = TRUSTS.slice(0, TRUSTS.indexOf(trust) + 1)
  return {
    // An unknown level is not in the list, so it fails closed.
    sql: `session_id = ? AND (user_id IS NULL OR user_id = ?) AND (trust IS NULL OR trust IN (${levels.map(() => "?").join(", ")}))`,
    values: [session, user ?? null, ...levels],
  }
}

/**
 * The table, using the index of sessions for limited sight, or the named index: without statistics the planner cannot
 * know how few rows match.
 */
export function eventsFor(sight: Sight | undefined, index?: string): string {
  const chosen = sight === undefined ? index : "idx_events_session"
  return chosen === undefined ? "events" : `events INDEXED BY ${chosen}`
}

/** Everything in a filter but its words. */
export function conditionsOf(filter: EventFilter): readonly Condition[] {
  const { session, user, channel, level, types, trace, turn, since, until, sight } = filter
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
    ...(level === undefined || level === "debug" ? [] : [levelFrom(level)]),
    ...(types === undefined ? [] : [among("event_type", types)]),
    ...(since === undefined ? [] : [{ sql: "events.timestamp >= ?", values: [isoOf(since)] }]),
    ...(until === undefined ? [] : [{ sql: "events.timestamp < ?", values: [isoOf(until)] }]),
    ...(sight === undefined ? [] : [seenBy(sight)]),
  ]
}

/** Worded like the index of warnings and errors, with literals; otherwise SQLite would not use it. */
export function levelFrom(level: Level): Condition {
  const troubles = "events.level IN ('warn', 'error')"
  if (level === "error") return { sql: `${troubles} AND events.level = 'error'`, values: [] }
  if (level === "warn") return { sql: troubles, values: [] }
  const names = levelsFrom(level).map((name) => `'${name}'`)
  return { sql: `events.level IN (${names.join(", ")})`, values: [] }
}

/** This level and those above. */
export function levelsFrom(level: Level): readonly Level[] {
  return LEVELS.slice(LEVELS.indexOf(level))
}

/** Clamps dates to the range that can be written. */
export function isoOf(ms: number): string {
  const END = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
  return new Date(Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), END)).toISOString()
}
