// Stored events, limited to what the caller may see. Anyone but the owner sees only their own session: their own events
// or those without a user, at their trust or below. The condition is part of the query, so hidden events are never
// read, counted or summed.
import { LEVELS, type Level } from "../../base/event-types.ts"
import { TRUSTS, type Trust } from "../../base/trust.ts"
import type { Database, Value } from "../../database/sqlite/database.ts"
import type { StoredEvent } from "../write/event.ts"
import { storedEvent } from "../write/stored-event.ts"

/** The caller that events are looked up for. If absent: the owner, who sees everything. */
export interface Sight {
  readonly session: string
  readonly user: string | undefined
  readonly trust: Trust
}

/** A condition on rows of `events`, with its parameters. */
export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

export interface Ask {
  readonly where: Condition
  readonly sight?: Sight | undefined
  /** Newest first if true; default: oldest first. */
  readonly isNewestFirst?: boolean
  readonly limit?: number
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

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  }
}

export function seenEvents(database: Database, ask: Ask): readonly StoredEvent[] {
  const { where, sight, isNewestFirst = false, limit = -1 } = ask
  const { sql, values } = allOf([where, seenBy(sight)])
  const order = isNewestFirst ? "timestamp DESC, id DESC" : "timestamp, id"
  return database
    .all(`SELECT * FROM ${eventsFor(sight)} WHERE ${sql} ORDER BY ${order} LIMIT ?`, ...values, limit)
    .map(storedEvent)
    .map((event) => (mayReadReasons(sight) ? event : withoutReason(event)))
}

/** Error texts come from a provider or a server and are for the operator. */
export function mayReadReasons(sight: Sight | undefined): boolean {
  return sight === undefined || sight.trust === "full"
}

function withoutReason({ error: _words, ...event }: StoredEvent): StoredEvent {
  if (event.type !== "diagnostic" || event.data === undefined) return event
  const { code } = event.data
  return { ...event, data: { code } }
}

/** The number of events, counted up to `limit`. */
export function countSeen(database: Database, { where, sight, limit = -1 }: Ask): number {
  const { sql, values } = allOf([where, seenBy(sight)])
  const counted = `SELECT count(*) AS found FROM (SELECT 1 FROM ${eventsFor(sight)} WHERE ${sql} LIMIT ?)`
  return Number(database.get(counted, ...values, limit)?.found)
}

/** This level and above, worded like the index of errors; otherwise SQLite would not use it. */
export function levelFrom(level: Level): Condition {
  const shown = levelsFrom(level)
  const troubles = "level IN ('warn', 'error')"
  if (level === "error") return { sql: `${troubles} AND level = 'error'`, values: [] }
  return level === "warn"
    ? { sql: troubles, values: [] }
    : { sql: `level IN (${shown.map(() => "?").join(", ")})`, values: shown }
}

/** This level and those above. */
export function levelsFrom(level: Level): readonly Level[] {
  return LEVELS.slice(LEVELS.indexOf(level))
}
