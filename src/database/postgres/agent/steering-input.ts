// Messages that a turn takes up while it is being worked on, in PostgreSQL. They wait in the inbox like all others, so a
// turn that ends without them leaves them to be answered next.
import type { Steering } from "../../contract/waits.ts"
import type { Statements } from "../postgres.ts"
import { waitingIn } from "./files.ts"
import { UNANSWERED } from "./messages.ts"
import { heldBy, type StoreConnection } from "./store-connection.ts"

const STEERS = `session_id = $1 AND ${UNANSWERED} AND state = 'waiting' AND steers`

export function steeringIn({ postgres, writeAsHolder }: StoreConnection): Steering {
  return {
    async take(lease, turn) {
      // Most looks find nothing, and a look needs no lock.
      const look = `SELECT owner, fence, EXISTS (SELECT 1 FROM inbox WHERE ${STEERS}) AS some
        FROM sessions WHERE id = $1`
      if (heldBy(await postgres.get(look, lease.session), lease).some !== true) return []
      return writeAsHolder(lease, async (statements) => {
        const rows = await statements.all(
          `WITH taken AS (UPDATE inbox SET into_turn = $2 WHERE ${STEERS} RETURNING *)
          SELECT * FROM taken ORDER BY seq`,
          ...[lease.session, turn],
        )
        return Promise.all(rows.map((row) => waitingIn(statements, row)))
      })
    },
  }
}

/** Within the transaction that writes their words. */
export async function join(statements: Statements, turn: string, joined: readonly string[]): Promise<void> {
  if (joined.length === 0) return
  const changes = await statements.run(
    `UPDATE inbox SET state = 'joined' WHERE turn_id = ANY($1::text[]) AND into_turn = $2 AND state = 'waiting'`,
    ...[joined, turn],
  )
  if (changes !== joined.length)
    throw new Error(`a message of ${joined.join(", ")} was not taken by the turn ${turn}, or has joined it`)
}

/** Within the transaction that ends a turn: what it has not written waits for a turn of its own. */
export async function leaveWaiting(statements: Statements, session: string): Promise<void> {
  await statements.run(`UPDATE inbox SET steers = false, into_turn = NULL WHERE ${STEERS}`, session)
}

/** Within the transaction that takes a turn away from its session: what it had written was said there. */
export async function separate(statements: Statements, session: string, turn: string): Promise<void> {
  const again = "UPDATE inbox SET state = 'waiting' WHERE into_turn = $1 AND state = 'joined'"
  await Promise.all([statements.run(again, turn), leaveWaiting(statements, session)])
}
