// Notices in the agent's store: messages to a person outside of a conversation.
import { atLeast, TRUSTS, type Trust } from "../../base/trust.ts"
import type { Database } from "../../database/sqlite/database.ts"
import type { StoredNotice } from "./stored.ts"

const MOST_NOTICES = 50

export function addNotice(database: Database, { agent, who, session, trust, at, text }: StoredNotice): void {
  database.run(
    "INSERT INTO notices (agent, who, session_id, trust, at, text) VALUES (?, ?, ?, ?, ?, ?)",
    ...[agent, who, session, trust, at, text],
  )
}

/** The newest notices that this trust may see, oldest first; marks them as seen. */
export function seeNotices(
  database: Database,
  { agent, who, trust }: Pick<StoredNotice, "agent" | "who" | "trust">,
  at: number,
): readonly (StoredNotice & { readonly isNew: boolean })[] {
  const visible = TRUSTS.filter((level) => atLeast(trust, level))
  const which = `agent = ? AND who = ? AND trust IN (${visible.map(() => "?").join(", ")})`
  return database.transaction(() => {
    const rows = database.all(
      `SELECT * FROM notices WHERE ${which} ORDER BY id DESC LIMIT ?`,
      ...[agent, who, ...visible, MOST_NOTICES],
    )
    database.run(
      `UPDATE notices SET seen_at = ? WHERE ${which} AND seen_at IS NULL`,
      ...[at, agent, who, ...visible],
    )
    return rows.toReversed().map((row) => ({
      agent,
      who,
      session: String(row.session_id),
      trust: String(row.trust) as Trust,
      at: Number(row.at),
      text: String(row.text),
      isNew: row.seen_at === null,
    }))
  })
}

/** The newest notice for a person, seen or not. */
export function lastNotice(
  database: Database,
  { agent, who }: Pick<StoredNotice, "agent" | "who">,
): Pick<StoredNotice, "at" | "text"> | undefined {
  const row = database.get(
    "SELECT at, text FROM notices WHERE agent = ? AND who = ? ORDER BY id DESC LIMIT 1",
    ...[agent, who],
  )
  return row && { at: Number(row.at), text: String(row.text) }
}
