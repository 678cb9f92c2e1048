// What calls have cost and may yet cost, in SQLite. A row with `reserved_until` is a call that is being made.
import type {
  CallSpending,
  Reserved,
  Spending,
  SpendingFilter,
  SpendingLimit,
  SpendingSum,
} from "../../../contract/serve/spending.ts"
import type { Value } from "../../database.ts"
import type { StoreFile } from "../store-file.ts"

export function spendingIn(file: StoreFile): Spending {
  const { database, now, read, write } = file
  return {
    reserve: (call, limits) =>
      write(() => {
        // A repetition of the same call must not count twice.
        database.run("DELETE FROM spending WHERE id = ? AND reserved_until IS NOT NULL", call.id)
        const exceeded = firstExceeded(file, call, limits)
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

/** Sums of fractions of a dollar are not exact; less than this is nothing. */
const NOTHING_USD = 1e-9

function firstExceeded(
  file: StoreFile,
  call: CallSpending,
  limits: readonly SpendingLimit[],
): Reserved | undefined {
  for (const [limit, { mostUsd = Infinity, mostTokens = Infinity, ...filter }] of limits.entries()) {
    const used = sum(file, filter)
    const usd = used.costUsd + (call.costUsd ?? 0)
    if (usd > mostUsd + NOTHING_USD || used.tokens + call.tokens > mostTokens)
      return { kind: "exceeds", limit, used }
  }
  return undefined
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
  return {
    costUsd: Number(row?.cost),
    tokens: Number(row?.tokens),
    calls: Number(row?.calls),
    unpriced: Number(row?.unpriced),
    open: Number(row?.open),
  }
}
