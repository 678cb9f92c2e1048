// Tool runs in SQLite, and results that were too long for the prompt.
import { atLeast, isTrust } from "../../../base/trust.ts"
import type { LongResults, ToolRun, ToolRuns } from "../../contract/runs.ts"
import { isKeptWhole, keptText, MOST_IN_SESSION } from "../../kept-text.ts"
import { resultOf } from "../../rows/session-rows.ts"
import type { StoreFile } from "./store-file.ts"

export function runsIn({ database, now, read, writeAsHolder }: StoreFile): ToolRuns {
  const known = ({ turn, call }: ToolRun) => {
    const row = database.get("SELECT result FROM tool_runs WHERE turn_id = ? AND call_id = ?", turn, call)
    return row && { result: resultOf(row) }
  }
  return {
    find: (run) => read(() => known(run)),
    start: (lease, { turn, call }) =>
      writeAsHolder(lease, () => {
        const { changes } = database.run(
          "INSERT OR IGNORE INTO tool_runs (turn_id, call_id, at) VALUES (?, ?, ?)",
          ...[turn, call, now()],
        )
        return changes === 1 ? "new" : (known({ turn, call }) ?? { result: undefined })
      }),
    withdraw: (lease, { turn, call }) =>
      writeAsHolder(lease, () => {
        database.run(
          "DELETE FROM tool_runs WHERE turn_id = ? AND call_id = ? AND result IS NULL",
          ...[turn, call],
        )
      }),
    finish: (lease, { turn, call }, result) =>
      writeAsHolder(lease, () => {
        database.run(
          "UPDATE tool_runs SET result = ? WHERE turn_id = ? AND call_id = ?",
          ...[JSON.stringify(result), turn, call],
        )
      }),
    any: (turn) =>
      read(() => database.get("SELECT 1 FROM tool_runs WHERE turn_id = ? LIMIT 1", turn) !== undefined),
  }
}

export function resultsIn({ database, now, read, writeAsHolder }: StoreFile): LongResults {
  return {
    keep: (lease, { name, trust, text }) =>
      writeAsHolder(lease, () => {
        const { session } = lease
        const known = database.get(
          "SELECT 1 FROM kept_results WHERE session_id = ? AND name = ?",
          session,
          name,
        )
        if (known !== undefined) return true
        database.run(
          "INSERT INTO kept_results (session_id, name, at, trust, text) VALUES (?, ?, ?, ?, ?)",
          ...[session, name, now(), trust, keptText(text)],
        )
        database.run(
          `DELETE FROM kept_results WHERE id IN (SELECT id FROM (SELECT id, sum(length(text))
            OVER (ORDER BY id DESC) AS total FROM kept_results WHERE session_id = ?) WHERE total > ?)`,
          ...[session, MOST_IN_SESSION],
        )
        return isKeptWhole(text)
      }),
    read: ({ session, trust }, name) =>
      read(() => {
        const row = database.get(
          "SELECT text, trust FROM kept_results WHERE session_id = ? AND name = ?",
          ...[session, name],
        )
        if (row === undefined) return undefined
        return atLeast(trust, isTrust(row.trust) ? row.trust : "full") ? String(row.text) : undefined
      }),
  }
}
