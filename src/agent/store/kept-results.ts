// Tool results that were too long for the prompt, stored so that the model can read on. They belong to one
// conversation, which keeps the newest ones up to a number of characters. In a room several people speak, so reading on
// takes the trust that the result was requested with.
import { atLeast, isTrust, type Trust } from "../../base/trust.ts"
import type { Database } from "../../database/sqlite/database.ts"

export interface KeptResult {
  readonly session: string
  /** The name that the model uses. */
  readonly name: string
  readonly at: number
  /** The trust of the person whose message called the tool. */
  readonly trust: Trust
  readonly text: string
}

/** Who wants to read on. */
export interface Reader {
  readonly session: string
  readonly trust: Trust
}

/** Per result; the rest is lost. */
const MOST_CHARACTERS = 1_000_000
/** Per conversation. */
const MOST_IN_SESSION = 8_000_000
/** Tools read by lines, so longer lines are broken. */
const LONGEST_LINE = 2_000

/** Keeps a result already stored under this name. Returns whether the whole text is stored. */
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

/** Undefined if the conversation has no result of that name, or the reader may not see it. */
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
