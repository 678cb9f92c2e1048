// Puts messages into the inbox, in SQLite, within a transaction.
import type { NewMessage } from "../../contract/inbox.ts"
import type { StoreFile } from "./store-file.ts"

/** Does nothing if the message is stored already. */
export function insertMessage(file: StoreFile, { id, turn, session, message, takenBy }: NewMessage): void {
  const { database, now } = file
  if (database.get("SELECT 1 FROM inbox WHERE message_id = ?", id) !== undefined) return
  database.run(
    `INSERT INTO inbox (message_id, session_id, seq, turn_id, at, message, taken_by, state)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting')`,
    ...[id, session, nextPlace(file, session), turn, now(), JSON.stringify(message), takenBy],
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
