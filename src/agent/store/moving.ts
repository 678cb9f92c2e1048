// Moves a message to another conversation in the agent's store. The items of its turn stay behind as past, since they
// belong to the conversation in which they were said.
import type { Database } from "../../database/sqlite/database.ts"

export interface Move {
  readonly turn: string
  /** The session to move it to. */
  readonly to: string
  readonly at: number
}

/** The message becomes due at once, with no worker. */
export function moveMessage(database: Database, { turn, to, at }: Move): void {
  database.run("UPDATE items SET is_past = 1 WHERE turn_id = ?", turn)
  database.run(
    "UPDATE inbox SET session_id = ?, state = 'waiting', not_before = ? WHERE turn_id = ?",
    ...[to, at, turn],
  )
  database.run("UPDATE sessions SET used_at = max(used_at, ?) WHERE id = ?", at, to)
}
