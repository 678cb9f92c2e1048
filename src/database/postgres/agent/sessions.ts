// Sessions in PostgreSQL, and the leases on them.
import { mergedState } from "../../contract/merged-state.ts"
import {
  keyText,
  type SessionKey,
  type SessionState,
  type Sessions,
  type StateChange,
  type StoredSession,
} from "../../contract/sessions.ts"
import type { Row } from "../../rows/row.ts"
import { factsOf, listedOf, sessionOf, stateOf } from "../../rows/session-rows.ts"
import type { Statements } from "../postgres.ts"
import { UNANSWERED } from "./messages.ts"
import { inLine, type StoreConnection, wakes } from "./store-connection.ts"

const FACTS = "id, agent, who, situation, trust, mode, entry, created_at, used_at"
const WHOLE = `SELECT ${FACTS}, state, rebase, baseline FROM sessions LEFT JOIN baselines ON session_id = id`
const NEWEST = "WHERE key = $1 ORDER BY used_at DESC, id DESC LIMIT 1"

export function sessionsIn(connection: StoreConnection): Sessions {
  const { postgres, write } = connection
  const current = async (statements: Statements, key: SessionKey) => {
    const row = await statements.get(`SELECT ${FACTS} FROM sessions ${NEWEST}`, keyText(key))
    return row && { session: factsOf(row), isNew: false }
  }
  return {
    get: async (id) => wholeOf(await postgres.get(`${WHOLE} WHERE id = $1`, id)),
    async facts(id) {
      const row = await postgres.get(`SELECT ${FACTS} FROM sessions WHERE id = $1`, id)
      return row && factsOf(row)
    },
    current: async (key) => wholeOf(await postgres.get(`${WHOLE} ${NEWEST}`, keyText(key))),
    create: (id, key) => write((statements) => createSession(statements, id, key)),
    async currentOrNew(key, id) {
      // Looks first without a lock: most messages continue a conversation.
      const found = await current(postgres, key)
      if (found !== undefined) return found
      return write(async (statements) => {
        await inLine(statements, "session", keyText(key))
        const known = await current(statements, key)
        return known ?? { session: await createSession(statements, id, key), isNew: true }
      })
    },
    async list(agent, { key, withParts = false, limit = null, after } = {}) {
      const whole = withParts ? "agent = $1" : "agent = $1 AND mode <> 'subagent'"
      const rows = await postgres.all(
        `SELECT ${FACTS}, (SELECT count(*) FROM inbox WHERE session_id = sessions.id) AS turns,
          (SELECT message FROM inbox WHERE session_id = sessions.id ORDER BY seq LIMIT 1) AS first
        FROM sessions WHERE ${key === undefined ? whole : "key = $1"}
          ${after === undefined ? "" : "AND (used_at, id) < ($3::bigint, $4)"}
        ORDER BY used_at DESC, id DESC LIMIT $2::bigint`,
        ...[key === undefined ? agent : keyText(key), limit],
        ...(after === undefined ? [] : [after.usedAt, after.id]),
      )
      return rows.map(listedOf)
    },
    async rebase(agent, reason) {
      await postgres.run("UPDATE sessions SET rebase = $2 WHERE agent = $1", agent, reason)
    },
    changeState: (session, change) =>
      write(async (statements) => {
        const row = await statements.get(
          "SELECT state, rebase FROM sessions WHERE id = $1 FOR NO KEY UPDATE",
          session,
        )
        if (row === undefined) return
        const stored = stateIn(row)
        await saveState(statements, session, { row, change: { was: stored, now: { ...stored, ...change } } })
      }),
    ...leasesIn(connection),
  }
}

function leasesIn({ postgres, write }: StoreConnection): Pick<Sessions, "claim" | "renew" | "release"> {
  const mine = "id = $1 AND owner = $2 AND fence = $3"
  return {
    claim: (session, { owner, leaseMs, deadOwners = [] }) =>
      write(async (statements) => {
        const fenced = await statements.get(
          `UPDATE sessions SET owner = $2, lease = now_ms() + $3::bigint, fence = fence + 1
          WHERE id = $1 AND (owner IS NULL OR owner = $2 OR owner = ANY($4::text[]) OR lease <= now_ms())
          RETURNING fence`,
          ...[session, owner, leaseMs, deadOwners],
        )
        if (fenced !== undefined)
          return { kind: "claimed", lease: { session, owner, fence: Number(fenced.fence) } }
        const row = await statements.get("SELECT owner FROM sessions WHERE id = $1", session)
        if (row === undefined) return { kind: "no-session" }
        // If it was released since, the caller finds that out when it comes back.
        return { kind: "held", by: String(row.owner ?? owner) }
      }),
    renew: async ({ session, owner, fence }, leaseMs) => {
      const renewed = `UPDATE sessions SET lease = now_ms() + $4::bigint WHERE ${mine}`
      return (await postgres.run(renewed, session, owner, fence, leaseMs)) === 1
    },
    release: async ({ session, owner, fence }) => {
      await postgres.run(
        `UPDATE sessions SET owner = NULL, lease = NULL WHERE ${mine}
        RETURNING CASE WHEN EXISTS (SELECT 1 FROM inbox WHERE session_id = $1 AND ${UNANSWERED})
          THEN ${wakes("message", "$1")} END`,
        ...[session, owner, fence],
      )
    },
  }
}

async function createSession(statements: Statements, id: string, key: SessionKey): Promise<StoredSession> {
  const { agent, who, situation, trust, mode, entry = null } = key
  const row = await statements.get(
    `INSERT INTO sessions (id, key, agent, who, situation, trust, mode, entry, created_at, used_at, state)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now_ms(), now_ms(), '{}') RETURNING created_at`,
    ...[id, keyText(key), agent, who, situation, trust, mode, entry],
  )
  const at = Number(row?.created_at)
  return { ...key, id, createdAt: at, usedAt: at, baseline: undefined, state: {} }
}

function wholeOf(row: Row | undefined): StoredSession | undefined {
  return row && { ...sessionOf(row), state: stateIn(row) }
}

function stateIn(row: Row): SessionState {
  const state = stateOf(row)
  return typeof row.rebase === "string" ? { ...state, rebase: row.rebase } : state
}

/** Within a transaction that has locked the row of the session, which has `state` and `rebase`. */
export async function saveState(
  statements: Statements,
  session: string,
  { row, change }: { readonly row: Row; readonly change: StateChange },
): Promise<void> {
  const state = JSON.stringify(mergedState(stateIn(row), change))
  await statements.run("UPDATE sessions SET state = $2, rebase = NULL WHERE id = $1", session, state)
}
