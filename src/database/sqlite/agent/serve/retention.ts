// Removes what serving has left behind: by age, and for one person.
import { ARRIVALS_MS, SPENDING_MS, usersOf } from "../../../keep-times.ts"
import type { Database } from "../../database.ts"

export function pruneServe(
  database: Database,
  { now, before }: { readonly now: number; readonly before: number },
): void {
  database.run("DELETE FROM deliveries WHERE state <> 'waiting' AND at < ?", before)
  for (const table of ["requests", "questions"])
    database.run(`DELETE FROM ${table} WHERE expires_at <= ?`, now)
  database.run("DELETE FROM pairings WHERE state = 'open' AND expires_at <= ?", now)
  database.run(
    `DELETE FROM arrivals WHERE at < ? AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.turn_id = arrivals.turn_id)`,
    Math.min(before, now - ARRIVALS_MS),
  )
  database.run("DELETE FROM spending WHERE at < ?", Math.min(before, now - SPENDING_MS))
  const unusable = "coalesce(revoked_at, expires_at) < ?"
  database.run(`DELETE FROM tokens WHERE ${unusable}`, before)
}

/** Where they have written from, and where they were paired. */
const PLACES = `SELECT json_extract(message, '$.channel') FROM inbox JOIN sessions ON sessions.id = session_id
    WHERE who IN (SELECT value FROM json_each(?))
  UNION ALL SELECT channel || ':' || sender FROM pairings WHERE user IN (SELECT value FROM json_each(?))`

/** Before their conversations are removed. Their tokens and paired senders are no longer valid. */
export function eraseServe(database: Database, whose: readonly string[]): void {
  const who = JSON.stringify(whose)
  const users = usersOf(whose)
  const turns = `turn_id IN (SELECT turn_id FROM inbox JOIN sessions ON sessions.id = session_id
    WHERE who IN (SELECT value FROM json_each(?)))`
  // Not every delivery is an answer: notices and codes are known by where they go.
  database.run(`DELETE FROM deliveries WHERE place IN (${PLACES})`, who, JSON.stringify(users))
  database.run(`DELETE FROM arrivals WHERE ${turns}`, who)
  const sessions = "session_id IN (SELECT id FROM sessions WHERE who IN (SELECT value FROM json_each(?)))"
  database.run(`DELETE FROM questions WHERE ${sessions}`, who)
  database.run("DELETE FROM spending WHERE who IN (SELECT value FROM json_each(?))", who)
  for (const table of ["tokens", "pairings"])
    database.run(`DELETE FROM ${table} WHERE user IN (SELECT value FROM json_each(?))`, JSON.stringify(users))
}
