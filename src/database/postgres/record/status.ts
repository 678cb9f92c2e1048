// The state of channels and sessions, as events show it.
import { byCodePoint } from "../../../base/order.ts"
import type { ChannelFacts, SessionFacts, Sight } from "../../contract/record/event-log.ts"
import type { Statements } from "../postgres.ts"
import { allOf, conditionsOf, numbered } from "./conditions.ts"

export async function channelsIn(
  statements: Statements,
  since: number,
  sight: Sight | undefined,
): Promise<readonly ChannelFacts[]> {
  const seen = allOf(conditionsOf({ sight }))
  const messages = await statements.all(
    numbered(`SELECT channel, max(at) AS last FROM record_events
    WHERE channel IS NOT NULL AND event_type IN ('message_received', 'message_sent') AND ${seen.sql} GROUP BY channel`),
    ...seen.values,
  )
  const failed = allOf([
    { sql: "channel IS NOT NULL", values: [] },
    ...conditionsOf({ level: "error", since, sight }),
  ])
  // Of the latest errors at the same moment, the first that was written.
  const errors = await statements.all(
    numbered(`SELECT DISTINCT ON (channel) channel, at AS last, error, count(*) OVER (PARTITION BY channel) AS found
    FROM record_events WHERE ${failed.sql} ORDER BY channel, at DESC, id`),
    ...failed.values,
  )
  const names = new Set([...messages, ...errors].map(({ channel }) => String(channel)))
  return [...names].toSorted(byCodePoint).map((channel): ChannelFacts => {
    const message = messages.find((row) => row.channel === channel)
    const error = errors.find((row) => row.channel === channel)
    return {
      channel,
      lastMessageAt: message && Number(message.last),
      errors: Number(error?.found ?? 0),
      lastError: typeof error?.error === "string" ? error.error : undefined,
      lastErrorAt: error && Number(error.last),
    }
  })
}

export async function sessionsIn(
  statements: Statements,
  since: number,
  sight: Sight | undefined,
): Promise<readonly SessionFacts[]> {
  const { sql, values } = allOf([
    { sql: "session_id IS NOT NULL", values: [] },
    ...conditionsOf({ since, sight }),
  ])
  const rows = await statements.all(
    numbered(`SELECT session_id, max(at) AS last, count(*) AS found FROM record_events WHERE ${sql}
    GROUP BY session_id ORDER BY last DESC, session_id`),
    ...values,
  )
  return rows.map(({ session_id, last, found }) => ({
    session: String(session_id),
    lastAt: Number(last),
    events: Number(found),
  }))
}

export async function oldestIn(statements: Statements): Promise<number | undefined> {
  const row = await statements.get("SELECT at FROM record_events ORDER BY at, id LIMIT 1")
  return row && Number(row.at)
}
