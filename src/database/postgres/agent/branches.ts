// Sessions that were forked from others, in PostgreSQL. The conversation is copied, so that each can continue and be
// removed independently.
import type { Transcripts } from "../../contract/transcripts.ts"
import { branchOf } from "../../rows/personal-rows.ts"
import { insertItems } from "./items.ts"
import type { StoreConnection } from "./store-connection.ts"

/** What a fork has of the session that it comes from: the columns that are copied, and in which order. */
const COPIED: Readonly<Record<string, { readonly columns: string; readonly order: string }>> = {
  kept_results: { columns: "name, at, trust, text", order: "number" },
  baselines: { columns: "baseline", order: "session_id" },
  file_uses: { columns: "sha256, at", order: "sha256" },
}

export function branchesIn({ postgres, write }: StoreConnection): Pick<Transcripts, "fork" | "branches"> {
  return {
    fork: (session, { as, upTo, append = [], state = {} }) =>
      write(async (statements) => {
        const changes = await statements.run(
          `INSERT INTO sessions (id, key, agent, who, situation, trust, mode, entry, created_at, used_at, state, last_item)
          SELECT $2, key, agent, who, situation, trust, mode, entry, now_ms(), greatest(now_ms(), used_at + 1), $3,
            least(last_item, $4) FROM sessions WHERE id = $1`,
          ...[session, as, JSON.stringify(state), upTo],
        )
        if (changes === 0) return undefined
        const items = statements.run(
          `INSERT INTO items (session_id, seq, turn_id, at, item) SELECT $2, seq, turn_id, at, item FROM items
          WHERE session_id = $1 AND seq <= $3 AND (NOT is_past OR past_since > $3)`,
          ...[session, as, upTo],
        )
        const copied = Object.entries(COPIED).map(([table, { columns, order }]) =>
          statements.run(
            `INSERT INTO ${table} (session_id, ${columns})
            SELECT $2, ${columns} FROM ${table} WHERE session_id = $1 ORDER BY ${order}`,
            ...[session, as],
          ),
        )
        await Promise.all([items, ...copied])
        await insertItems(
          ...[statements, as],
          append.map((item) => ({ turn: undefined, item })),
        )
        const row = await statements.get(
          `INSERT INTO branches (session_id, from_session, up_to, at) VALUES ($1, $2, $3, now_ms()) RETURNING *`,
          ...[as, session, upTo],
        )
        return row && branchOf(row)
      }),
    async branches(session) {
      const rows = await postgres.all(
        "SELECT * FROM branches WHERE from_session = $1 ORDER BY at, session_id",
        session,
      )
      return rows.map(branchOf)
    },
  }
}
