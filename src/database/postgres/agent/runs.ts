// Tool runs in PostgreSQL, and results that were too long for the prompt.
import { atLeast, isTrust } from "../../../base/trust.ts"
import type { LongResults, ToolRun, ToolRuns } from "../../contract/runs.ts"
import { isKeptWhole, keptText, MOST_IN_SESSION } from "../../kept-text.ts"
import { resultOf } from "../../rows/session-rows.ts"
import type { Statements } from "../postgres.ts"
import type { StoreConnection } from "./store-connection.ts"

export function runsIn({ postgres, writeAsHolder }: StoreConnection): ToolRuns {
  const known = async (from: Pick<Statements, "get">, { turn, call }: ToolRun) => {
    const row = await from.get(
      "SELECT result FROM tool_runs WHERE turn_id = $1 AND call_id = $2",
      ...[turn, call],
    )
    return row && { result: resultOf(row) }
  }
  return {
    find: (run) => known(postgres, run),
    start: (lease, { turn, call }) =>
      writeAsHolder(lease, async (statements) => {
        const changes = await statements.run(
          "INSERT INTO tool_runs (turn_id, call_id, at) VALUES ($1, $2, now_ms()) ON CONFLICT DO NOTHING",
          ...[turn, call],
        )
        return changes === 1 ? "new" : ((await known(statements, { turn, call })) ?? { result: undefined })
      }),
    withdraw: (lease, { turn, call }) =>
      writeAsHolder(lease, async (statements) => {
        await statements.run(
          "DELETE FROM tool_runs WHERE turn_id = $1 AND call_id = $2 AND result IS NULL",
          ...[turn, call],
        )
      }),
    finish: (lease, { turn, call }, result) =>
      writeAsHolder(lease, async (statements) => {
        await statements.run(
          "UPDATE tool_runs SET result = $3 WHERE turn_id = $1 AND call_id = $2",
          ...[turn, call, JSON.stringify(result)],
        )
      }),
    any: async (turn) =>
      (await postgres.get("SELECT 1 FROM tool_runs WHERE turn_id = $1 LIMIT 1", turn)) !== undefined,
  }
}

export function resultsIn({ postgres, writeAsHolder }: StoreConnection): LongResults {
  return {
    keep: (lease, { name, trust, text }) =>
      writeAsHolder(lease, async (statements) => {
        const { session } = lease
        const changes = await statements.run(
          `INSERT INTO kept_results (session_id, name, at, trust, text) VALUES ($1, $2, now_ms(), $3, $4)
          ON CONFLICT DO NOTHING`,
          ...[session, name, trust, keptText(text)],
        )
        if (changes === 0) return true
        await statements.run(
          `DELETE FROM kept_results WHERE number IN (SELECT number FROM (SELECT number, sum(length(text))
            OVER (ORDER BY number DESC) AS total FROM kept_results WHERE session_id = $1) AS sums WHERE total > $2)`,
          ...[session, MOST_IN_SESSION],
        )
        return isKeptWhole(text)
      }),
    async read({ session, trust }, name) {
      const row = await postgres.get(
        "SELECT text, trust FROM kept_results WHERE session_id = $1 AND name = $2",
        ...[session, name],
      )
      if (row === undefined) return undefined
      return atLeast(trust, isTrust(row.trust) ? row.trust : "full") ? String(row.text) : undefined
    },
  }
}
