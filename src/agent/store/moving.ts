// A message that goes to another conversation than the one it was taken in for, in the agent's store. What its turn had
// come to stays behind as past: it belongs to the conversation that it was said in.
import type { Database } from "../../database/sqlite/database.ts"

export interface Move {
  readonly turn: string
  /** The session that it goes to. */
  readonly to: string
  readonly at: number
}

/** It is due at once, and nobody has begun with it. */
export function moveMessage(database: Database, { turn, to, at }: Move): void {
  database.run("UPDATE items SET is_past = 1 WHERE turn_id = ?", turn)
  database.run(
    "UPDATE inbox SET session_id = ?, state = 'waiting', not_before = ? WHERE turn_id = ?",
    ...[to, at, turn],
  )
  database.run("UPDATE sessions SET used_at = max(used_at, ?) WHERE id = ?", at, to)
}
