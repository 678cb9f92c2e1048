// The state of channels and sessions, as events show it.
import { byCodePoint } from "../../../base/order.ts"
import type { ChannelFacts, SessionFacts, Sight } from "../../contract/record/event-log.ts"
import type { Database } from "../database.ts"
import { eventsFor, isoOf, levelFrom, seenBy } from "./conditions.ts"

export function channelsIn(
  database: Database,
  since: number,
  sight: Sight | undefined,
): readonly ChannelFacts[] {
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
    isoOf(since),
    ...values,
  )
  const names = new Set([...messages, ...errors].map(({ channel }) => String(channel)))
  return [...names].toSorted(byCodePoint).map((channel): ChannelFacts => {
    const message = messages.find((row) => row.channel === channel)
    const failed = errors.find((row) => row.channel === channel)
    return {
      channel,
      lastMessageAt: message && Date.parse(String(message.last)),
      errors: Number(failed?.found ?? 0),
      lastError: typeof failed?.error === "string" ? failed.error : undefined,
      lastErrorAt: failed && Date.parse(String(failed.last)),
    }
  })
}

export function sessionsIn(
  database: Database,
  since: number,
  sight: Sight | undefined,
): readonly SessionFacts[] {
  const { sql, values } = seenBy(sight)
  const rows = database.all(
    `SELECT session_id, max(timestamp) AS last, count(*) AS found FROM ${eventsFor(sight, "idx_events_time")}
    WHERE session_id IS NOT NULL AND timestamp >= ? AND ${sql} GROUP BY session_id ORDER BY last DESC, session_id`,
    isoOf(since),
    ...values,
  )
  return rows.map(({ session_id, last, found }) => ({
    session: String(session_id),
    lastAt: Date.parse(String(last)),
    events: Number(found),
  }))
}

export function oldestIn(database: Database): number | undefined {
  const first = database.get("SELECT min(timestamp) AS first FROM events")?.first
  return typeof first === "string" ? Date.parse(first) : undefined
}
