// Results of tools that were too long to be told, kept whole so that the model can read on. They belong to one
// conversation and go with it; a conversation keeps the newest of them, within a number of characters. In a room several
// people speak, so each result can be read on only with the trust that it was asked for with.
import { atLeast, isTrust, type Trust } from "../../base/trust.ts"
import type { Database } from "../../database/sqlite/database.ts"

export interface KeptResult {
  readonly session: string
  /** As the model names it. */
  readonly name: string
  readonly at: number
  /** Of whoever had the tool called. */
  readonly trust: Trust
  readonly text: string
}

/** Who wants to read on. */
export interface Reader {
  readonly session: string
  readonly trust: Trust
}

/** Of one result; what comes after is gone. */
const MOST_CHARACTERS = 1_000_000
/** Of one conversation. */
const MOST_IN_SESSION = 8_000_000
/** Tools read by lines, so longer ones are broken. */
const LONGEST_LINE = 2_000

/** What was kept under the name before stays. Returns whether all of the text is kept. */
export function keepResult(database: Database, { session, name, at, trust, text }: KeptResult): boolean {
  const kept = text.slice(0, MOST_CHARACTERS).toWellFormed()
  database.transaction(() => {
    database.run(
      "INSERT OR IGNORE INTO kept_results (session_id, name, at, trust, text) VALUES (?, ?, ?, ?, ?)",
      ...[session, name, at, trust, kept.split("\n").map(inShortLines).join("\n")],
    )
    database.run(
      `DELETE FROM kept_results WHERE id IN (SELECT id FROM (SELECT id, sum(length(text))
        OVER (ORDER BY id DESC) AS total FROM kept_results WHERE session_id = ?) WHERE total > ?)`,
      ...[session, MOST_IN_SESSION],
    )
  })
  return text.length <= MOST_CHARACTERS
}

export function isKept(database: Database, session: string, name: string): boolean {
  const row = database.get("SELECT 1 FROM kept_results WHERE session_id = ? AND name = ?", session, name)
  return row !== undefined
}

/** Undefined if nothing of that name is kept for the conversation, or the reader may not see it. */
export function keptResult(database: Database, { session, trust }: Reader, name: string): string | undefined {
  const row = database.get(
    "SELECT text, trust FROM kept_results WHERE session_id = ? AND name = ?",
    ...[session, name],
  )
  if (row === undefined) return undefined
  return atLeast(trust, isTrust(row.trust) ? row.trust : "full") ? String(row.text) : undefined
}

function inShortLines(line: string): string {
  if (line.length <= LONGEST_LINE) return line
  return (line.match(new RegExp(`.{1,${LONGEST_LINE}}`, "gsu")) ?? []).join("\n")
}
