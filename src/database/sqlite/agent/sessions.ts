// Sessions in SQLite, and the leases on them.
import { mergedState } from "../../contract/merged-state.ts"
import {
  keyText,
  type SessionKey,
  type SessionState,
  type Sessions,
  type StateChange,
  type StoredSession,
} from "../../contract/sessions.ts"
import { factsOf, listedOf, sessionOf, stateOf } from "../../rows/session-rows.ts"
import type { Database, Row } from "../database.ts"
import type { StoreFile } from "./store-file.ts"

const SESSIONS = "sessions LEFT JOIN baselines ON baselines.session_id = sessions.id"
const FACTS = "id, agent, who, situation, trust, mode, entry, created_at, used_at"

export function sessionsIn({ database, now, read, write }: StoreFile): Sessions {
  return {
    get: (id) =>
      read(() => {
        const row = database.get(`SELECT sessions.*, baseline FROM ${SESSIONS} WHERE id = ?`, id)
        return row && sessionOf(row)
      }),
    facts: (id) =>
      read(() => {
        const row = database.get(`SELECT ${FACTS} FROM sessions WHERE id = ?`, id)
        return row && factsOf(row)
      }),
    current: (key) =>
      read(() => {
        const row = currentRow(database, { key, columns: "sessions.*, baseline" })
        return row && sessionOf(row)
      }),
    create: (id, key) => write(() => createSession(database, { id, key, at: now() })),
    async currentOrNew(key, id) {
      const known = () => {
        const row = currentRow(database, { key, columns: FACTS })
        return row && { session: factsOf(row), isNew: false }
      }
      // Looks first without the lock: most messages continue a conversation.
      const found = await read(known)
      return (
        found ??
        write(() => known() ?? { session: createSession(database, { id, key, at: now() }), isNew: true })
      )
    },
    list: (agent, { key, withParts = false, limit = -1, after } = {}) =>
      read(() => {
        const whole = withParts ? "agent = ?" : "agent = ? AND mode <> 'subagent'"
        const whose = key === undefined ? whole : "key = ?"
        const rows = database.all(
          `SELECT ${FACTS},
            (SELECT count(*) FROM inbox WHERE session_id = sessions.id) AS turns,
            (SELECT message FROM inbox WHERE session_id = sessions.id ORDER BY id LIMIT 1) AS first
          FROM sessions WHERE ${whose} ${after === undefined ? "" : "AND (used_at, id) < (?, ?)"}
          ORDER BY used_at DESC, id DESC LIMIT ?`,
          key === undefined ? agent : keyText(key),
          ...(after === undefined ? [] : [after.usedAt, after.id]),
          limit,
        )
        return rows.map(listedOf)
      }),
    rebase: (agent, reason) =>
      write(() => {
        const rebase = "UPDATE sessions SET state = json_set(state, '$.rebase', ?) WHERE agent = ?"
        database.run(rebase, reason, agent)
      }),
    changeState: (session, change) =>
      write(() => {
        const stored = storedState(database, session)
        saveState(database, session, { was: stored, now: { ...stored, ...change } })
      }),
    ...leasesIn({ database, now, write }),
  }
}

function leasesIn({
  database,
  now,
  write,
}: Pick<StoreFile, "database" | "now" | "write">): Pick<Sessions, "claim" | "renew" | "release"> {
  const mine = "id = ? AND owner = ? AND fence = ?"
  return {
    claim: (session, { owner, leaseMs, deadOwners = [] }) =>
      write(() => {
        const row = database.get("SELECT owner, lease FROM sessions WHERE id = ?", session)
        if (row === undefined) return { kind: "no-session" }
        const { owner: by, lease: until } = row
        const isOther = typeof by === "string" && by !== owner && !deadOwners.includes(by)
        if (isOther && Number(until) > now()) return { kind: "held", by }
        const fenced = database.get(
          "UPDATE sessions SET owner = ?, lease = ?, fence = fence + 1 WHERE id = ? RETURNING fence",
          ...[owner, now() + leaseMs, session],
        )
        return { kind: "claimed", lease: { session, owner, fence: Number(fenced?.fence) } }
      }),
    renew: ({ session, owner, fence }, leaseMs) =>
      write(() => {
        const renewed = `UPDATE sessions SET lease = ? WHERE ${mine}`
        return database.run(renewed, now() + leaseMs, session, owner, fence).changes === 1
      }),
    release: ({ session, owner, fence }) =>
      write(() => {
        database.run(
          `UPDATE sessions SET owner = NULL, lease = NULL WHERE ${mine}`,
          ...[session, owner, fence],
        )
      }),
  }
}

function currentRow(
  database: Database,
  { key, columns }: { readonly key: SessionKey; readonly columns: string },
): Row | undefined {
  const newest = "WHERE key = ? ORDER BY used_at DESC, id DESC LIMIT 1"
  return database.get(`SELECT ${columns} FROM ${SESSIONS} ${newest}`, keyText(key))
}

interface NewSession {
  readonly id: string
  readonly key: SessionKey
  readonly at: number
}

function createSession(database: Database, { id, key, at }: NewSession): StoredSession {
  const { agent, who, situation, trust, mode, entry = null } = key
  database.run(
    `INSERT INTO sessions (id, key, agent, who, situation, trust, mode, entry, created_at, used_at, state)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')`,
    ...[id, keyText(key), agent, who, situation, trust, mode, entry, at, at],
  )
  return { ...key, id, createdAt: at, usedAt: at, baseline: undefined, state: {} }
}

/** Within a transaction. */
export function saveState(database: Database, session: string, change: StateChange): void {
  const state = JSON.stringify(mergedState(storedState(database, session), change))
  database.run("UPDATE sessions SET state = ? WHERE id = ?", state, session)
}

function storedState(database: Database, session: string): SessionState {
  const row = database.get("SELECT state FROM sessions WHERE id = ?", session)
  return row === undefined ? {} : stateOf(row)
}
