// The outbox in PostgreSQL: answers until they are delivered.
import type { Outbox } from "../../contract/outbox.ts"
import type { StoredReply } from "../../contract/reply.ts"
import { listedMessageOf, replyOf } from "../../rows/session-rows.ts"
import type { Statements } from "../postgres.ts"
import type { StoreConnection } from "./store-connection.ts"

export function outboxIn({ postgres, write }: StoreConnection): Outbox {
  return {
    async reply(turn) {
      const row = await postgres.get("SELECT reply FROM outbox WHERE turn_id = $1", turn)
      return row && replyOf(row)
    },
    async unsent(agent) {
      const rows = await postgres.all(
        `SELECT inbox.*, reply, outbox.at AS answered_at FROM outbox
        JOIN inbox ON inbox.turn_id = outbox.turn_id JOIN sessions ON sessions.id = outbox.session_id
        WHERE sent_at IS NULL AND agent = $1 ORDER BY outbox.number`,
        agent,
      )
      return rows.map((row) => ({
        reply: replyOf(row),
        at: Number(row.answered_at),
        message: listedMessageOf(row),
      }))
    },
    async isSent(turn) {
      const row = await postgres.get("SELECT sent_at FROM outbox WHERE turn_id = $1", turn)
      return row?.sent_at != null
    },
    markSent: (turn) =>
      write(async (statements) => {
        const unsent = "UPDATE outbox SET sent_at = now_ms() WHERE turn_id = $1 AND sent_at IS NULL"
        return (await statements.run(unsent, turn)) === 1
      }),
  }
}

/** Within a transaction. There is nothing to send for a silent answer. */
export async function insertAnswer(statements: Statements, reply: StoredReply): Promise<void> {
  await statements.run(
    `INSERT INTO outbox (turn_id, session_id, at, reply, sent_at)
    VALUES ($1, $2, now_ms(), $3, CASE WHEN $4 THEN now_ms() END) ON CONFLICT DO NOTHING`,
    ...[reply.turn, reply.session, JSON.stringify(reply), reply.state === "silent"],
  )
}
