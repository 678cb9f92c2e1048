// Messages that a turn takes up while it is being worked on, in SQLite. They wait in the inbox like all others, so a turn
// that ends without them leaves them to be answered next.
import type { Steering } from "../../contract/waits.ts"
import { UNANSWERED, waitingIn } from "./messages.ts"
import type { StoreFile } from "./store-file.ts"

const STEERS = `session_id = ? AND ${UNANSWERED} AND state = 'waiting' AND steers = 1`

export function steeringIn({ database, readAsHolder, writeAsHolder }: StoreFile): Steering {
  return {
    async take(lease, turn) {
      // Most looks find nothing, and a look needs no write.
      const look = `SELECT 1 FROM inbox WHERE ${STEERS} LIMIT 1`
      const some = await readAsHolder(lease, () => database.get(look, lease.session))
      if (some === undefined) return []
      return writeAsHolder(lease, () => {
        database.run(`UPDATE inbox SET into_turn = ? WHERE ${STEERS}`, turn, lease.session)
        return database
          .all(`SELECT * FROM inbox WHERE ${STEERS} ORDER BY seq`, lease.session)
          .map((row) => waitingIn(database, row))
      })
    },
  }
}

/** Within the transaction that writes their words. */
export function join({ database }: StoreFile, turn: string, joined: readonly string[]): void {
  for (const one of joined) {
    const { changes } = database.run(
      "UPDATE inbox SET state = 'joined' WHERE turn_id = ? AND into_turn = ? AND state = 'waiting'",
      ...[one, turn],
    )
    if (changes !== 1)
      throw new Error(`the message ${one} was not taken by the turn ${turn}, or has joined it`)
  }
}

/** Within the transaction that ends a turn: what it has not written waits for a turn of its own. */
export function leaveWaiting({ database }: StoreFile, session: string): void {
  database.run(`UPDATE inbox SET steers = 0, into_turn = NULL WHERE ${STEERS}`, session)
}

/** Within the transaction that takes a turn away from its session: what it had written was said there. */
export function separate(file: StoreFile, session: string, turn: string): void {
  file.database.run("UPDATE inbox SET state = 'waiting' WHERE into_turn = ? AND state = 'joined'", turn)
  leaveWaiting(file, session)
}
