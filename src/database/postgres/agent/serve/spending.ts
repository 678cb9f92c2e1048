// What calls have cost and may yet cost, in PostgreSQL. A row with `reserved_until` is a call that is being made.
import { byCodePoint } from "../../../../base/order.ts"
import type { CallSpending, Spending, SpendingFilter, SpendingSum } from "../../../contract/serve/spending.ts"
import { firstExceeded } from "../../../first-exceeded.ts"
import { sumOf } from "../../../rows/serve-rows.ts"
import type { Statements, Value } from "../../postgres.ts"
import { inLine, type StoreConnection } from "../store-connection.ts"

export function spendingIn({ postgres, write }: StoreConnection): Spending {
  return {
    reserve: (call, limits) =>
      write(async (statements) => {
        // Calls under the same limit wait for each other, in one order, so that none waits for one that waits for it.
        const lines = new Set(limits.map(({ agent, who, turn }) => JSON.stringify([agent, who, turn])))
        for (const line of [...lines].sort(byCodePoint)) await inLine(statements, "spending", line)
        // A repetition of the same call must not count twice.
        await statements.run("DELETE FROM spending WHERE id = $1 AND reserved_until IS NOT NULL", call.id)
        const used = await Promise.all(limits.map((limit) => sum(statements, limit)))
        const exceeded = firstExceeded(call, limits, used)
        if (exceeded === undefined) await insert(statements, call, call.leaseMs)
        return exceeded ?? { kind: "reserved" }
      }),
    async settle(id, { costUsd, tokens }) {
      await postgres.run(
        "UPDATE spending SET cost_usd = $2, tokens = $3, reserved_until = NULL WHERE id = $1",
        ...[id, costUsd, tokens],
      )
    },
    async release(id) {
      await postgres.run("DELETE FROM spending WHERE id = $1 AND reserved_until IS NOT NULL", id)
    },
    add: (call) => insert(postgres, call, null),
    sum: (filter) => sum(postgres, filter),
  }
}

async function insert(statements: Statements, call: CallSpending, leaseMs: number | null): Promise<void> {
  const { id, agent, who, turn, costUsd, tokens } = call
  await statements.run(
    `INSERT INTO spending (id, agent, who, turn_id, at, cost_usd, tokens, reserved_until)
    VALUES ($1, $2, $3, $4, now_ms(), $5, $6, now_ms() + $7::bigint) ON CONFLICT DO NOTHING`,
    ...[id, agent, who, turn, costUsd, tokens, leaseMs],
  )
}

async function sum(
  statements: Statements,
  { agent, who, turn, withinMs }: SpendingFilter,
): Promise<SpendingSum> {
  const conditions: readonly (readonly [string, Value | undefined])[] = [
    ["agent =", agent],
    ["who =", who],
    ["turn_id =", turn],
    ["at >= now_ms() -", withinMs],
  ]
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const row = await statements.get(
    `SELECT coalesce(sum(cost_usd), 0) AS cost, coalesce(sum(tokens), 0) AS tokens, count(*) AS calls,
      count(*) - count(cost_usd) AS unpriced, count(reserved_until) AS open
    FROM spending WHERE coalesce(reserved_until, now_ms()) >= now_ms()
      ${given.map(({ sql }, at) => `AND ${sql} $${at + 1}`).join(" ")}`,
    ...given.map(({ value }) => value),
  )
  return sumOf(row)
}
