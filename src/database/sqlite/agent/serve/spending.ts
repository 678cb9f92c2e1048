// What calls have cost and may yet cost, in SQLite. A row with `reserved_until` is a call that is being made.
import type { CallSpending, Spending, SpendingFilter, SpendingSum } from "../../../contract/serve/spending.ts"
import { firstExceeded } from "../../../first-exceeded.ts"
import { sumOf } from "../../../rows/serve-rows.ts"
import type { Value } from "../../database.ts"
import type { StoreFile } from "../store-file.ts"

export function spendingIn(file: StoreFile): Spending {
  const { database, now, read, write } = file
  return {
    reserve: (call, limits) =>
      write(() => {
        // A repetition of the same call must not count twice.
        database.run("DELETE FROM spending WHERE id = ? AND reserved_until IS NOT NULL", call.id)
        const exceeded = firstExceeded(
          call,
          limits,
          limits.map((limit) => sum(file, limit)),
        )
        if (exceeded === undefined) insert(file, call, now() + call.leaseMs)
        return exceeded ?? { kind: "reserved" }
      }),
    settle: (id, { costUsd, tokens }) =>
      write(() => {
        database.run(
          "UPDATE spending SET cost_usd = ?, tokens = ?, reserved_until = NULL WHERE id = ?",
          ...[costUsd, tokens, id],
        )
      }),
    release: (id) =>
      write(() => {
        database.run("DELETE FROM spending WHERE id = ? AND reserved_until IS NOT NULL", id)
      }),
    add: (call) => write(() => insert(file, call, null)),
    sum: (filter) => read(() => sum(file, filter)),
  }
}

function insert({ database, now }: StoreFile, call: CallSpending, reservedUntil: number | null): void {
  const { id, agent, who, turn, costUsd, tokens } = call
  database.run(
    `INSERT OR IGNORE INTO spending (id, agent, who, turn_id, at, cost_usd, tokens, reserved_until)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, agent, who, turn, now(), costUsd, tokens, reservedUntil],
  )
}

function sum({ database, now }: StoreFile, { agent, who, turn, withinMs }: SpendingFilter): SpendingSum {
  const conditions: readonly (readonly [string, Value | undefined])[] = [
    ["coalesce(reserved_until, ?1) >= ?1", now()],
    ["agent = ?", agent],
    ["who = ?", who],
    ["turn_id = ?", turn],
    ["at >= ?", withinMs === undefined ? undefined : now() - withinMs],
  ]
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const row = database.get(
    `SELECT total(cost_usd) AS cost, coalesce(sum(tokens), 0) AS tokens, count(*) AS calls,
      count(*) - count(cost_usd) AS unpriced, count(reserved_until) AS open
    FROM spending WHERE ${given.map(({ sql }) => sql).join(" AND ")}`,
    ...given.map(({ value }) => value),
  )
  return sumOf(row)
}
