// Tool runs in SQLite, and results that were too long for the prompt.
import { atLeast, isTrust } from "../../../base/trust.ts"
import type { LongResults, ToolRuns } from "../../contract/runs.ts"
import { resultOf } from "./rows/rows.ts"
import type { StoreFile } from "./store-file.ts"

export function runsIn({ database, now, read, writeAsHolder }: StoreFile): ToolRuns {
  return {
    start: (lease, { turn, call }) =>
      writeAsHolder(lease, () => {
        const { changes } = database.run(
          "INSERT OR IGNORE INTO tool_runs (turn_id, call_id, at) VALUES (?, ?, ?)",
          ...[turn, call, now()],
        )
        if (changes === 1) return "new"
        const row = database.get("SELECT result FROM tool_runs WHERE turn_id = ? AND call_id = ?", turn, call)
        return { result: row && resultOf(row) }
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

/** Per result; the rest is lost. */
const MOST_CHARACTERS = 1_000_000
/** Per conversation. */
const MOST_IN_SESSION = 8_000_000
/** Tools read by lines, so longer lines are broken. */
const LONGEST_LINE = 2_000

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
        const kept = text.slice(0, MOST_CHARACTERS).toWellFormed()
        database.run(
          "INSERT INTO kept_results (session_id, name, at, trust, text) VALUES (?, ?, ?, ?, ?)",
          ...[session, name, now(), trust, kept.split("\n").map(inShortLines).join("\n")],
        )
        database.run(
          `DELETE FROM kept_results WHERE id IN (SELECT id FROM (SELECT id, sum(length(text))
            OVER (ORDER BY id DESC) AS total FROM kept_results WHERE session_id = ?) WHERE total > ?)`,
          ...[session, MOST_IN_SESSION],
        )
        return text.length <= MOST_CHARACTERS
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

function inShortLines(line: string): string {
  if (line.length <= LONGEST_LINE) return line
  return (line.match(new RegExp(`.{1,${LONGEST_LINE}}`, "gsu")) ?? []).join("\n")
}
