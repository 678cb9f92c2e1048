// Events as they were stored, for who may see them. Whoever is not the owner sees what happened in their own session:
// events of theirs or of nobody, at their trust or below. The condition stands in the query, so that what is hidden
// is never read, counted or summed.
import { TRUSTS, type Trust } from "../../base/trust.ts"
import type { Database, Value } from "../../database/sqlite/database.ts"
import { LEVELS, type Level, type StoredEvent } from "../write/event.ts"
import { storedEvent } from "../write/stored-event.ts"

/** For whom events are looked up; where there is none, for the owner, who sees all. */
export interface Sight {
  readonly session: string
  readonly user: string | undefined
  readonly trust: Trust
}

/** A condition on rows of `events`, with the values of its question marks. */
export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

export interface Ask {
  readonly where: Condition
  readonly sight?: Sight | undefined
  /** Newest first; oldest first otherwise. */
  readonly isNewestFirst?: boolean
  readonly limit?: number
}

export function seenBy(sight: Sight | undefined): Condition {
  if (sight === undefined) return { sql: "1", values: [] }
  const { session, user, trust } = sight
  const levels = TRUSTS.slice(0, TRUSTS.indexOf(trust) + 1)
  return {
    // A level that is not known is in no list, so that it fails closed.
    sql: `session_id = ? AND (user_id IS NULL OR user_id = ?) AND (trust IS NULL OR trust IN (${levels.map(() => "?").join(", ")}))`,
    values: [session, user ?? null, ...levels],
  }
}

/**
 * The table, by the index of sessions for who sees just one, or by the one that is named: without statistics the
 * planner does not know how small a part they are.
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

/** Why something failed stands there in the words of a provider or a server, which are for the operator. */
export function mayReadReasons(sight: Sight | undefined): boolean {
  return sight === undefined || sight.trust === "full"
}

function withoutReason({ error: _words, ...event }: StoredEvent): StoredEvent {
  if (event.type !== "finding" || event.data === undefined) return event
  const { code } = event.data
  return { ...event, data: { code } }
}

/** How many there are, counted up to `limit`. */
export function countSeen(database: Database, { where, sight, limit = -1 }: Ask): number {
  const { sql, values } = allOf([where, seenBy(sight)])
  const counted = `SELECT count(*) AS found FROM (SELECT 1 FROM ${eventsFor(sight)} WHERE ${sql} LIMIT ?)`
  return Number(database.get(counted, ...values, limit)?.found)
}

/** Of this level and above; in the words of the index of errors, which is not used otherwise. */
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
