// Tool runs in the agent's store: recorded before they start, so that no action is done twice.
import type { Database } from "../../database/sqlite/database.ts"
import { resultOf } from "./rows.ts"
import type { Store } from "./stored.ts"

/** Whether the turn has run a tool, whatever the outcome. */
export function hasRun(database: Database, turn: string): boolean {
  return database.get("SELECT 1 FROM tool_runs WHERE turn_id = ? LIMIT 1", turn) !== undefined
}

/** Returns `new`, or what is known of an earlier run. */
export function startRun(
  database: Database,
  { turn, call, at }: Parameters<Store["startTool"]>[1],
): ReturnType<Store["startTool"]> {
  const { changes } = database.run(
    "INSERT OR IGNORE INTO tool_runs (turn_id, call_id, at) VALUES (?, ?, ?)",
    ...[turn, call, at],
  )
  if (changes === 1) return "new"
  const row = database.get("SELECT result FROM tool_runs WHERE turn_id = ? AND call_id = ?", turn, call)
  return { result: row && resultOf(row) }
}
