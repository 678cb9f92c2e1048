// Input that steers a turn that is being worked on, in SQLite.
import type { Incoming } from "../../contract/inbox.ts"
import type { Steering } from "../../contract/waits.ts"
import type { Row } from "../database.ts"
import { insertMessage } from "./messages.ts"
import { knownArrival, takeArrival } from "./serve/channels.ts"
import type { StoreFile } from "./store-file.ts"

export function steeringIn(file: StoreFile): Steering {
  const { database, now, write, writeAsHolder } = file
  const open = "session_id = ? AND is_taken = 0"
  return {
    add: ({ id, turn, session, message, takenBy }, { arrival } = {}) =>
      write(() => {
        if (arrival !== undefined && knownArrival(file, arrival) !== undefined) return "taken"
        const working = "SELECT 1 FROM inbox WHERE session_id = ? AND state = 'working'"
        if (database.get(working, session) === undefined) return "idle"
        database.run(
          `INSERT OR IGNORE INTO steering (message_id, session_id, turn_id, at, message, taken_by)
          VALUES (?, ?, ?, ?, ?, ?)`,
          ...[id, session, turn, now(), JSON.stringify(message), takenBy],
        )
        if (arrival !== undefined) takeArrival(file, arrival, turn)
        return "accepted"
      }),
    take: (lease) =>
      writeAsHolder(lease, () => {
        const rows = database.all(`SELECT at, message FROM steering WHERE ${open} ORDER BY id`, lease.session)
        database.run(`UPDATE steering SET is_taken = 1 WHERE ${open}`, lease.session)
        return rows.map(({ at, message }) => ({ at: Number(at), message: messageIn(message) }))
      }),
  }
}

/** Within the transaction that ends a turn: what it has not taken becomes messages of their own. */
export function requeueSteering(file: StoreFile, session: string): void {
  const { database } = file
  const rows = database.all(
    "SELECT * FROM steering WHERE session_id = ? AND is_taken = 0 ORDER BY id",
    session,
  )
  for (const { message_id: id, turn_id: turn, message, taken_by: takenBy } of rows)
    insertMessage(file, {
      ...{ id: String(id), turn: String(turn), session, takenBy: String(takenBy) },
      message: messageIn(message),
    })
  database.run("DELETE FROM steering WHERE session_id = ?", session)
}

function messageIn(json: Row[string] | undefined): Incoming {
  return JSON.parse(String(json)) as Incoming
}
