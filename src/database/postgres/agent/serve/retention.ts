// Removes what serving has left behind, in PostgreSQL: by age, and for one person.
import { ARRIVALS_MS, SPENDING_MS, usersOf } from "../../../keep-times.ts"
import type { Statements } from "../../postgres.ts"

export async function pruneServe(statements: Statements, olderThanMs: number): Promise<void> {
  const old = (ms: number) => `at < now_ms() - ${Math.floor(ms)}::bigint`
  const past = `coalesce(revoked_at, expires_at) < now_ms() - ${Math.floor(olderThanMs)}::bigint`
  await Promise.all([
    statements.run(`DELETE FROM deliveries WHERE state <> 'waiting' AND ${old(olderThanMs)}`),
    statements.run("DELETE FROM requests WHERE expires_at <= now_ms()"),
    statements.run("DELETE FROM questions WHERE expires_at <= now_ms()"),
    statements.run("DELETE FROM pairings WHERE state = 'open' AND expires_at <= now_ms()"),
    statements.run(`DELETE FROM arrivals WHERE ${old(Math.max(olderThanMs, ARRIVALS_MS))}
      AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.turn_id = arrivals.turn_id)`),
    statements.run(`DELETE FROM spending WHERE ${old(Math.max(olderThanMs, SPENDING_MS))}`),
    statements.run(`DELETE FROM tokens WHERE ${past}`),
  ])
}

const THEIRS = "session_id IN (SELECT id FROM sessions WHERE who = ANY($1::text[]))"

/** Before their conversations are removed. Their tokens and paired senders are no longer valid. */
export async function eraseServe(statements: Statements, whose: readonly string[]): Promise<void> {
  const users = usersOf(whose)
  // Not every delivery is an answer: notices and codes are known by where they go.
  await statements.run(
    `DELETE FROM deliveries WHERE place IN (SELECT channel FROM inbox WHERE ${THEIRS}
      UNION ALL SELECT channel || ':' || sender FROM pairings WHERE "user" = ANY($2::text[]))`,
    ...[whose, users],
  )
  await Promise.all([
    statements.run(
      `DELETE FROM arrivals WHERE turn_id IN (SELECT turn_id FROM inbox WHERE ${THEIRS})`,
      whose,
    ),
    statements.run(`DELETE FROM questions WHERE ${THEIRS}`, whose),
    statements.run("DELETE FROM spending WHERE who = ANY($1::text[])", whose),
    ...["tokens", "pairings"].map((table) =>
      statements.run(`DELETE FROM ${table} WHERE "user" = ANY($1::text[])`, users),
    ),
  ])
}
