// What calls have cost, in SQLite.
import type { Spending } from "../../../contract/serve/spending.ts"
import type { Value } from "../../database.ts"
import type { StoreFile } from "../store-file.ts"

export function spendingIn({ database, now, read, write }: StoreFile): Spending {
  return {
    add: ({ id, agent, who, turn, costUsd }) =>
      write(() => {
        database.run(
          "INSERT OR IGNORE INTO spending (id, agent, who, turn_id, at, cost_usd) VALUES (?, ?, ?, ?, ?, ?)",
          ...[id, agent, who, turn, now(), costUsd],
        )
      }),
    sum: ({ agent, who, turn, withinMs }) =>
      read(() => {
        const since = withinMs === undefined ? undefined : now() - withinMs
        const conditions: readonly (readonly [string, Value | undefined])[] = [
          ["agent = ?", agent],
          ["who = ?", who],
          ["turn_id = ?", turn],
          ["at >= ?", since],
        ]
        const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
        const which = ["1", ...given.map(({ sql }) => sql)].join(" AND ")
        const row = database.get(
          `SELECT coalesce(sum(cost_usd), 0) AS cost, count(*) AS calls, count(*) - count(cost_usd) AS unpriced
          FROM spending WHERE ${which}`,
          ...given.map(({ value }) => value),
        )
        return { costUsd: Number(row?.cost), calls: Number(row?.calls), unpriced: Number(row?.unpriced) }
      }),
  }
}
