// Puts messages into the inbox, in PostgreSQL, within a transaction.
import type { NewMessage } from "../../contract/inbox.ts"
import type { Row } from "../../rows/row.ts"
import { messageApart } from "../../rows/stored-files.ts"
import type { Statements } from "../postgres.ts"
import { storeFiles } from "./files.ts"

export const UNANSWERED = "state IN ('waiting', 'working', 'suspended')"

/** Nobody has begun with it. */
export const UNTOUCHED = `state = 'waiting' AND into_turn IS NULL AND NOT EXISTS
  (SELECT 1 FROM items WHERE items.session_id = inbox.session_id AND items.turn_id = inbox.turn_id)`

/** For a message that is not stored yet. `steers`: a turn that is being worked on may take it up. */
export async function insertMessage(
  statements: Statements,
  { id, turn, session, message, takenBy }: NewMessage,
  steers: boolean,
): Promise<Row | undefined> {
  const { json, files } = messageApart(message)
  const place = nextPlace(statements, session)
  await Promise.all([place, storeFiles(statements, session, files)])
  return statements.get(
    `INSERT INTO inbox (message_id, session_id, seq, turn_id, at, message, channel, taken_by, state, steers)
    VALUES ($1, $2, coalesce((SELECT last_message FROM sessions WHERE id = $2), 0), $3, now_ms(), $4, $5, $6, 'waiting',
      $7 AND EXISTS (SELECT 1 FROM inbox WHERE session_id = $2 AND ${UNANSWERED} AND state = 'working'))
    RETURNING *`,
    ...[id, session, turn, json, message.channel ?? null, takenBy, steers],
  )
}

/** Moves on the order of a session's messages: `last_message` is the next number. The session counts as used now. */
export async function nextPlace(statements: Statements, session: string): Promise<void> {
  await statements.run(
    "UPDATE sessions SET last_message = last_message + 1, used_at = greatest(used_at, now_ms()) WHERE id = $1",
    session,
  )
}
