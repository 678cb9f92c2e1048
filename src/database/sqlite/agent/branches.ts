// Sessions that were forked from others, in SQLite. The conversation is copied, so that each can continue and be removed
// independently.
import type { Transcripts } from "../../contract/transcripts.ts"
import { branchOf } from "../../rows/personal-rows.ts"
import { insertItems } from "./items.ts"
import type { StoreFile } from "./store-file.ts"

/** What a fork has of the session that it comes from, each with the columns that are copied. */
const COPIED: Readonly<Record<string, string>> = {
  items: "seq, turn_id, at, item",
  kept_results: "name, at, trust, text",
  baselines: "baseline",
  file_uses: "sha256, at",
}

export function branchesIn(file: StoreFile): Pick<Transcripts, "fork" | "branches"> {
  const { database, now, read, write } = file
  return {
    fork: (session, { as, upTo, append = [], state = {} }) =>
      write(() => {
        const at = now()
        const { changes } = database.run(
          `INSERT INTO sessions (id, key, agent, who, situation, trust, mode, entry, created_at, used_at, state, last_item)
          SELECT ?, key, agent, who, situation, trust, mode, entry, ?, max(?, used_at + 1), ?, min(last_item, ?)
          FROM sessions WHERE id = ?`,
          ...[as, at, at, JSON.stringify(state), upTo, session],
        )
        if (changes === 0) return undefined
        for (const [table, columns] of Object.entries(COPIED))
          database.run(
            `INSERT INTO ${table} (session_id, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE session_id = ?
            ${table === "items" ? "AND seq <= ? AND (is_past = 0 OR past_since > ?)" : ""}`,
            ...[as, session, ...(table === "items" ? [upTo, upTo] : [])],
          )
        insertItems(
          ...[file, as],
          append.map((item) => ({ turn: undefined, item, at })),
        )
        database.run("INSERT INTO branches VALUES (?, ?, ?, ?)", as, session, upTo, at)
        return { session: as, from: session, upTo, at }
      }),
    branches: (session) =>
      read(() =>
        database
          .all("SELECT * FROM branches WHERE from_session = ? ORDER BY at, session_id", session)
          .map(branchOf),
      ),
  }
}
