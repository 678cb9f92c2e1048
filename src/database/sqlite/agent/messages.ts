// Puts messages into the inbox and reads them, in SQLite, within a transaction.
import type { NewMessage, Waiting } from "../../contract/inbox.ts"
import { waitingOf } from "../../rows/session-rows.ts"
import type { Database, Row } from "../database.ts"
import { bytesFor, messageJson } from "./files.ts"
import type { StoreFile } from "./store-file.ts"

export const UNANSWERED = "state IN ('waiting', 'working', 'suspended')"

/** Does nothing if the message is stored already. `steers`: a turn that is being worked on may take it up. */
export function insertMessage(file: StoreFile, stored: NewMessage, steers: boolean): void {
  const { database, now } = file
  const { id, turn, session, message, takenBy } = stored
  if (database.get("SELECT 1 FROM inbox WHERE message_id = ?", id) !== undefined) return
  const working = `SELECT 1 FROM inbox WHERE session_id = ? AND ${UNANSWERED} AND state = 'working'`
  const joins = steers && database.get(working, session) !== undefined
  database.run(
    `INSERT INTO inbox (message_id, session_id, seq, turn_id, at, message, taken_by, state, steers)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?)`,
    ...[
      id,
      session,
      nextPlace(file, session),
      turn,
      now(),
      messageJson(file, session, message),
      takenBy,
      joins ? 1 : 0,
    ],
  )
}

/** The next number in the order of a session's messages. The session counts as used now. */
export function nextPlace({ database, now }: StoreFile, session: string): number {
  const row = database.get(
    `UPDATE sessions SET last_message = last_message + 1, used_at = max(used_at, ?) WHERE id = ?
    RETURNING last_message`,
    ...[now(), session],
  )
  return Number(row?.last_message ?? 0)
}

export function waitingIn(database: Database, row: Row): Waiting {
  return waitingOf(row, bytesFor(database, String(row.session_id)))
}
