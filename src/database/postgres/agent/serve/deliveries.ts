// What is to be sent over channels, in PostgreSQL. Whoever takes a delivery has it until its time is over; it stays until
// it was sent or given up.
import type { Deliveries } from "../../../contract/serve/deliveries.ts"
import { deliveryOf } from "../../../rows/serve-rows.ts"
import { type StoreConnection, wakes } from "../store-connection.ts"

/** The first one for its place, so that a chat gets its messages in order. */
const FIRST = `channel = $1 AND state = 'waiting' AND NOT EXISTS (SELECT 1 FROM deliveries AS earlier
  WHERE earlier.channel = deliveries.channel AND earlier.place = deliveries.place AND earlier.state = 'waiting'
  AND earlier.number < deliveries.number)`

export function deliveriesIn(connection: StoreConnection): Deliveries {
  return { ...added(connection), ...sent(connection), ...asked(connection) }
}

function added({ postgres }: StoreConnection): Pick<Deliveries, "add"> {
  return {
    async add(deliveries) {
      if (deliveries.length === 0) return
      await postgres.run(
        `INSERT INTO deliveries (id, channel, place, body, turn_id, at, state, not_before)
        SELECT id, channel, place, body, turn_id, now_ms(), 'waiting', now_ms()
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
          AS new (id, channel, place, body, turn_id, nth)
        ORDER BY nth ON CONFLICT DO NOTHING RETURNING ${wakes("delivery")}`,
        ...[deliveries.map(({ id }) => id), deliveries.map(({ channel }) => channel)],
        ...[deliveries.map(({ to }) => to), deliveries.map(({ body }) => body)],
        deliveries.map(({ turn }) => turn ?? null),
      )
    },
  }
}

function sent({ postgres, write }: StoreConnection): Pick<Deliveries, "take" | "delivered" | "failed"> {
  return {
    take: (channel, leaseMs) =>
      write(async (statements) => {
        const row = await statements.get(
          `UPDATE deliveries SET attempts = attempts + 1, not_before = now_ms() + $2::bigint WHERE number =
            (SELECT number FROM deliveries WHERE ${FIRST} AND not_before <= now_ms()
            ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *`,
          ...[channel, leaseMs],
        )
        if (row === undefined) return undefined
        const { id, to, body, at, turn, attempts } = deliveryOf(row)
        return { id, channel, to, body, at, turn, attempts }
      }),
    delivered: (id, sentAs) =>
      write(async (statements) => {
        const delivered = `UPDATE deliveries SET state = 'delivered', sent_as = $2, error = NULL
          WHERE id = $1 AND state = 'waiting'`
        return (await statements.run(delivered, id, sentAs ?? null)) === 1
      }),
    async failed(id, { error, retryInMs }) {
      const state = retryInMs === undefined ? "given-up" : "waiting"
      await postgres.run(
        `UPDATE deliveries SET state = $2, error = $3, not_before = now_ms() + $4::bigint
        WHERE id = $1 AND state = 'waiting'`,
        ...[id, state, error, retryInMs ?? 0],
      )
    },
  }
}

function asked({ postgres }: StoreConnection): Pick<Deliveries, "get" | "sentAs" | "nextDueInMs"> {
  return {
    async get(id) {
      const row = await postgres.get("SELECT * FROM deliveries WHERE id = $1", id)
      return row && deliveryOf(row)
    },
    async sentAs(channel, id) {
      const row = await postgres.get(
        "SELECT * FROM deliveries WHERE channel = $1 AND sent_as = $2",
        ...[channel, id],
      )
      return row && deliveryOf(row)
    },
    async nextDueInMs(channel) {
      const row = await postgres.get(
        `SELECT greatest(0, min(not_before) - now_ms()) AS due, count(*) AS waiting FROM deliveries WHERE ${FIRST}`,
        channel,
      )
      return Number(row?.waiting) > 0 ? Number(row?.due) : undefined
    },
  }
}
