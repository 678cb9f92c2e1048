// The current status: channels, sessions, recent errors, and the record itself. A caller with limited sight gets only
// its own session. Sizes and totals are for the owner, because other people's events affect them.
import { statSync } from "node:fs"
import { byCodePoint } from "../../base/order.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { PRICE_OVERRIDES } from "../prices/price-overrides.ts"
import type { StoredEvent } from "../write/event.ts"
import type { Health } from "../write/record.ts"
import { eventsFor, levelFrom, mayReadReasons, type Sight, seenBy, seenEvents } from "./visibility.ts"

export interface ChannelStatus {
  readonly channel: string
  readonly lastMessageAt: number | undefined
  /** Within the window. */
  readonly errors: number
  readonly lastError: string | undefined
  readonly lastErrorAt: number | undefined
}

export interface SessionStatus {
  readonly session: string
  readonly lastAt: number
  /** Within the window. */
  readonly events: number
}

export interface PriceAge {
  readonly source: string
  readonly rows: number
  /** The date of its oldest row. */
  readonly date: string
  readonly ageDays: number
}

/** How an agent is doing: its channels, sessions, errors and record. */
export interface Status {
  readonly windowMs: number
  readonly channels: readonly ChannelStatus[]
  /** Latest first. */
  readonly sessions: readonly SessionStatus[]
  /** Latest first. */
  readonly errors: readonly StoredEvent[]
  readonly prices: readonly PriceAge[]
  readonly record:
    | {
        readonly health: Health
        readonly bytes: number
        readonly logBytes: number
        readonly oldestAt: number | undefined
      }
    | undefined
}

/** The moment to report on. */
export interface StatusOptions {
  readonly now: number
  readonly health: Health
  readonly sight?: Sight | undefined
  /** The time within which a session counts as active and channel errors are counted. */
  readonly windowMs?: number
}

const DAY_MS = 86_400_000
const MOST_ERRORS = 10

/** Says how an agent is doing, from its record. */
export function statusOf(database: Database, options: StatusOptions): Status {
  const { now, health, sight, windowMs = DAY_MS } = options
  const since = new Date(now - windowMs).toISOString()
  return {
    windowMs,
    channels: channelsOf(database, since, sight),
    sessions: sessionsOf(database, since, sight),
    errors: seenEvents(database, {
      where: levelFrom("error"),
      sight,
      isNewestFirst: true,
      limit: MOST_ERRORS,
    }),
    prices: priceAges(now),
    record:
      sight === undefined ? { health, ...sizesOf(database.path), oldestAt: oldest(database) } : undefined,
  }
}

function channelsOf(database: Database, since: string, sight: Sight | undefined): readonly ChannelStatus[] {
  const { sql, values } = seenBy(sight)
  const messages = database.all(
    `SELECT channel, max(timestamp) AS last FROM ${eventsFor(sight, "idx_events_message")}
    WHERE channel IS NOT NULL AND event_type IN ('message_received', 'message_sent') AND ${sql} GROUP BY channel`,
    ...values,
  )
  // With a MAX, SQLite takes the other columns from the row that has it.
  const errors = database.all(
    `SELECT channel, max(timestamp) AS last, error, count(*) AS found FROM ${eventsFor(sight)}
    WHERE channel IS NOT NULL AND ${levelFrom("error").sql} AND timestamp >= ? AND ${sql} GROUP BY channel`,
    since,
    ...values,
  )
  const names = new Set([...messages, ...errors].map(({ channel }) => String(channel)))
  return [...names].toSorted(byCodePoint).map((channel): ChannelStatus => {
    const message = messages.find((row) => row.channel === channel)
    const failed = errors.find((row) => row.channel === channel)
    return {
      channel,
      lastMessageAt: message && Date.parse(String(message.last)),
      errors: Number(failed?.found ?? 0),
      lastError: typeof failed?.error === "string" && mayReadReasons(sight) ? failed.error : undefined,
      lastErrorAt: failed && Date.parse(String(failed.last)),
    }
  })
}

function sessionsOf(database: Database, since: string, sight: Sight | undefined): readonly SessionStatus[] {
  const { sql, values } = seenBy(sight)
  const rows = database.all(
    `SELECT session_id, max(timestamp) AS last, count(*) AS found FROM ${eventsFor(sight, "idx_events_time")}
    WHERE session_id IS NOT NULL AND timestamp >= ? AND ${sql} GROUP BY session_id ORDER BY last DESC, session_id`,
    since,
    ...values,
  )
  return rows.map(({ session_id, last, found }) => ({
    session: String(session_id),
    lastAt: Date.parse(String(last)),
    events: Number(found),
  }))
}

function priceAges(now: number): readonly PriceAge[] {
  const sources = Map.groupBy(PRICE_OVERRIDES, ({ source }) => source)
  return [...sources].map(([source, rows]) => {
    const date = rows.map((row) => row.date).reduce((one, other) => (one < other ? one : other))
    return { source, rows: rows.length, date, ageDays: Math.floor((now - Date.parse(date)) / DAY_MS) }
  })
}

function sizesOf(path: string): { readonly bytes: number; readonly logBytes: number } {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return { bytes: size(path), logBytes: size(`${path}-wal`) }
}

function oldest(database: Database): number | undefined {
  const first = database.get("SELECT min(timestamp) AS first FROM events")?.first
  return typeof first === "string" ? Date.parse(first) : undefined
}
