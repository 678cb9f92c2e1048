// Notices in SQLite.
import { atLeast, TRUSTS } from "../../../base/trust.ts"
import type { Notices } from "../../contract/people.ts"
import type { StoreFile } from "./store-file.ts"

const MOST_NOTICES = 50

export function noticesIn({ database, now, read, write }: StoreFile): Notices {
  return {
    add: ({ agent, who, session, trust, text }) =>
      write(() => {
        database.run(
          "INSERT INTO notices (agent, who, session_id, trust, at, text) VALUES (?, ?, ?, ?, ?, ?)",
          ...[agent, who, session, trust, now(), text],
        )
      }),
    see: ({ agent, who, trust }) =>
      write(() => {
        const visible = TRUSTS.filter((level) => atLeast(trust, level))
        const which = `agent = ? AND who = ? AND trust IN (${visible.map(() => "?").join(", ")})`
        const rows = database.all(
          `SELECT * FROM notices WHERE ${which} ORDER BY id DESC LIMIT ?`,
          ...[agent, who, ...visible, MOST_NOTICES],
        )
        database.run(
          `UPDATE notices SET seen_at = ? WHERE ${which} AND seen_at IS NULL`,
          ...[now(), agent, who, ...visible],
        )
        return rows
          .toReversed()
          .map((row) => ({ at: Number(row.at), text: String(row.text), isNew: row.seen_at === null }))
      }),
    last: ({ agent, who }) =>
      read(() => {
        const row = database.get(
          "SELECT at, text FROM notices WHERE agent = ? AND who = ? ORDER BY id DESC LIMIT 1",
          ...[agent, who],
        )
        return row && { at: Number(row.at), text: String(row.text) }
      }),
  }
}
