// What is to be sent over channels, in SQLite. Whoever takes a delivery has it until its time is over; it stays until it
// was sent or given up.
import type { Deliveries } from "../../../contract/serve/deliveries.ts"
import { deliveryOf } from "../../../rows/serve-rows.ts"
import type { StoreFile } from "../store-file.ts"

/** The first one for its place, so that a chat gets its messages in order. */
const FIRST = `channel = ? AND state = 'waiting' AND NOT EXISTS (SELECT 1 FROM deliveries AS earlier
  WHERE earlier.channel = deliveries.channel AND earlier.place = deliveries.place AND earlier.state = 'waiting'
  AND earlier.number < deliveries.number)`

export function deliveriesIn(file: StoreFile): Deliveries {
  return { ...added(file), ...sent(file), ...asked(file) }
}

function added({ database, now, write }: StoreFile): Pick<Deliveries, "add"> {
  return {
    add: (deliveries) =>
      write(() => {
        const at = now()
        for (const { id, channel, to, body, turn = null } of deliveries)
          database.run(
            `INSERT OR IGNORE INTO deliveries (id, channel, place, body, turn_id, at, state, not_before)
            VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?)`,
            ...[id, channel, to, body, turn, at, at],
          )
      }),
  }
}

function sent({ database, now, write }: StoreFile): Pick<Deliveries, "take" | "delivered" | "failed"> {
  return {
    take: (channel, leaseMs) =>
      write(() => {
        const row = database.get(
          `UPDATE deliveries SET attempts = attempts + 1, not_before = ? WHERE number =
            (SELECT number FROM deliveries WHERE ${FIRST} AND not_before <= ? ORDER BY number LIMIT 1)
          RETURNING *`,
          ...[now() + leaseMs, channel, now()],
        )
        if (row === undefined) return undefined
        const { id, to, body, at, turn, attempts } = deliveryOf(row)
        return { id, channel, to, body, at, turn, attempts }
      }),
    delivered: (id, sentAs) =>
      write(() => {
        const delivered = `UPDATE deliveries SET state = 'delivered', sent_as = ?, error = NULL
          WHERE id = ? AND state = 'waiting'`
        return database.run(delivered, sentAs ?? null, id).changes === 1
      }),
    failed: (id, { error, retryInMs }) =>
      write(() => {
        const state = retryInMs === undefined ? "given-up" : "waiting"
        database.run(
          "UPDATE deliveries SET state = ?, error = ?, not_before = ? WHERE id = ? AND state = 'waiting'",
          ...[state, error, now() + (retryInMs ?? 0), id],
        )
      }),
  }
}

function asked({ database, now, read }: StoreFile): Pick<Deliveries, "get" | "sentAs" | "nextDueInMs"> {
  return {
    get: (id) =>
      read(() => {
        const row = database.get("SELECT * FROM deliveries WHERE id = ?", id)
        return row && deliveryOf(row)
      }),
    sentAs: (channel, id) =>
      read(() => {
        const row = database.get("SELECT * FROM deliveries WHERE channel = ? AND sent_as = ?", channel, id)
        return row && deliveryOf(row)
      }),
    nextDueInMs: (channel) =>
      read(() => {
        const row = database.get(`SELECT min(not_before) AS due FROM deliveries WHERE ${FIRST}`, channel)
        return typeof row?.due === "number" ? Math.max(0, row.due - now()) : undefined
      }),
  }
}
