// The agent's store: sessions, their transcripts, messages that wait, answers that were given. One SQLite file; each
// method is one transaction, so that a process may die between any two of them and another goes on where it stood.
import type { Baseline } from "../core/epoch.ts"
import { IncipitError } from "../core/error.ts"
import type { Trust } from "../core/trust.ts"
import { type Database, openDatabase, type Row } from "../sqlite/database.ts"
import { STORE_MIGRATIONS } from "./schema.ts"
import type {
  ClaimOptions,
  Compaction,
  Incoming,
  Notice,
  SessionKey,
  SessionState,
  StepChange,
  Store,
  StoredReply,
  StoredSession,
  ToolResult,
  Waiting,
} from "./stored.ts"
import type { Item, StoredItem } from "./transcript.ts"

export function openStore(path: string): Store {
  return new FileStore(openDatabase(path, { migrations: STORE_MIGRATIONS }))
}

class FileStore implements Store {
  readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  session(id: string): StoredSession | undefined {
    const row = this.database.get("SELECT * FROM sessions WHERE id = ?", id)
    return row && sessionOf(row)
  }

  currentSession(key: SessionKey): StoredSession | undefined {
    const row = this.database.get(
      "SELECT * FROM sessions WHERE key = ? ORDER BY used_at DESC, id DESC LIMIT 1",
      keyText(key),
    )
    return row && sessionOf(row)
  }

  createSession(id: string, key: SessionKey, at: number): StoredSession {
    this.database.run(
      "INSERT INTO sessions (id, key, agent, who, situation, trust, created_at, used_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '{}')",
      ...[id, keyText(key), key.agent, key.who, key.situation, key.trust, at, at],
    )
    return { ...key, id, createdAt: at, usedAt: at, baseline: undefined, state: {} }
  }

  sessions(agent: string) {
    const rows = this.database.all(
      `SELECT sessions.*, (SELECT count(*) FROM inbox WHERE session_id = sessions.id) AS turns,
        (SELECT message FROM inbox WHERE session_id = sessions.id ORDER BY id LIMIT 1) AS first
      FROM sessions WHERE agent = ? ORDER BY used_at DESC, id DESC`,
      agent,
    )
    return rows.map((row) => ({ ...sessionOf(row), turns: Number(row.turns), title: titleOf(row.first) }))
  }

  items(session: string): readonly StoredItem[] {
    return this.database
      .all("SELECT * FROM items WHERE session_id = ? AND is_past = 0 ORDER BY id", session)
      .map(itemOf)
  }

  claim(session: string, owner: string, { now, leaseMs, mayBeAlive }: ClaimOptions): boolean {
    return this.database.transaction(() => {
      const row = this.database.get("SELECT owner, lease FROM sessions WHERE id = ?", session)
      const holder = typeof row?.owner === "string" ? row.owner : undefined
      const isHeld =
        holder !== undefined && holder !== owner && Number(row?.lease) > now && mayBeAlive(holder)
      if (row === undefined || isHeld) return false
      this.database.run(
        "UPDATE sessions SET owner = ?, lease = ? WHERE id = ?",
        owner,
        now + leaseMs,
        session,
      )
      return true
    })
  }

  release(session: string, owner: string): void {
    this.database.run(
      "UPDATE sessions SET owner = NULL, lease = NULL WHERE id = ? AND owner = ?",
      session,
      owner,
    )
  }

  receive(
    id: string,
    { turn, session, at, message, takenBy }: Parameters<Store["receive"]>[1],
    claim: (turn: string) => boolean = () => true,
  ): Waiting | undefined {
    return this.database.transaction(() => {
      if (!claim(turn)) return undefined
      this.database.run(
        `INSERT OR IGNORE INTO inbox (message_id, session_id, turn_id, at, message, taken_by, state)
        VALUES (?, ?, ?, ?, ?, ?, 'waiting')`,
        ...[id, session, turn, at, JSON.stringify(message), takenBy],
      )
      this.database.run("UPDATE sessions SET used_at = max(used_at, ?) WHERE id = ?", at, session)
      const row = this.database.get("SELECT * FROM inbox WHERE message_id = ?", id)
      return row && waitingOf(row)
    })
  }

  lastOf(session: string): Waiting | undefined {
    const row = this.database.get(
      "SELECT * FROM inbox WHERE session_id = ? ORDER BY id DESC LIMIT 1",
      session,
    )
    return row && waitingOf(row)
  }

  waiting(turn: string): Waiting | undefined {
    const row = this.database.get("SELECT * FROM inbox WHERE turn_id = ?", turn)
    return row && waitingOf(row)
  }

  nextOf(session: string): Waiting | undefined {
    const row = this.database.get(
      "SELECT * FROM inbox WHERE session_id = ? AND state IN ('waiting', 'working') ORDER BY id LIMIT 1",
      session,
    )
    return row && waitingOf(row)
  }

  open(agent: string): readonly Waiting[] {
    return this.database
      .all(
        `SELECT inbox.* FROM inbox JOIN sessions ON sessions.id = session_id
        WHERE inbox.state IN ('waiting', 'working') AND agent = ? ORDER BY inbox.id`,
        agent,
      )
      .map(waitingOf)
  }

  change(session: string, owner: string, change: StepChange): readonly StoredItem[] {
    return this.database.transaction(() => {
      this.#fence(session, owner)
      this.database.run("UPDATE inbox SET state = 'working' WHERE turn_id = ?", change.turn)
      return this.#apply(session, change)
    })
  }

  startTool(turn: string, call: string, at: number): ReturnType<Store["startTool"]> {
    const { changes } = this.database.run(
      "INSERT OR IGNORE INTO tool_runs (turn_id, call_id, at) VALUES (?, ?, ?)",
      turn,
      call,
      at,
    )
    if (changes === 1) return "new"
    const row = this.database.get(
      "SELECT result FROM tool_runs WHERE turn_id = ? AND call_id = ?",
      turn,
      call,
    )
    const result = typeof row?.result === "string" ? (JSON.parse(row.result) as ToolResult) : undefined
    return { result }
  }

  finishTool(turn: string, call: string, result: ToolResult): void {
    this.database.run(
      "UPDATE tool_runs SET result = ? WHERE turn_id = ? AND call_id = ?",
      JSON.stringify(result),
      turn,
      call,
    )
  }

  postpone(turn: string, notBefore: number, error: string): void {
    this.database.run(
      "UPDATE inbox SET state = 'waiting', attempts = attempts + 1, not_before = ?, error = ? WHERE turn_id = ?",
      ...[notBefore, error, turn],
    )
  }

  finish(session: string, owner: string, change: StepChange, reply: StoredReply): void {
    const { turn, at } = change
    this.database.transaction(() => {
      this.#fence(session, owner)
      this.#apply(session, change)
      const state = reply.state === "failed" ? "failed" : "done"
      this.database.run("UPDATE inbox SET state = ? WHERE turn_id = ?", state, turn)
      this.database.run("DELETE FROM tool_runs WHERE turn_id = ?", turn)
      // A silent answer has nothing to be sent.
      const sent = reply.state === "silent" ? at : null
      this.database.run(
        "INSERT OR IGNORE INTO outbox (turn_id, session_id, at, reply, sent_at) VALUES (?, ?, ?, ?, ?)",
        ...[turn, session, at, JSON.stringify(reply), sent],
      )
    })
  }

  reply(turn: string): StoredReply | undefined {
    const row = this.database.get("SELECT reply FROM outbox WHERE turn_id = ?", turn)
    // What was written as a reply is read as one.
    return row && (JSON.parse(String(row.reply)) as StoredReply)
  }

  unsent(agent: string): readonly StoredReply[] {
    const rows = this.database.all(
      `SELECT reply FROM outbox JOIN sessions ON sessions.id = session_id
      WHERE sent_at IS NULL AND agent = ? ORDER BY outbox.id`,
      agent,
    )
    return rows.map(({ reply }) => JSON.parse(String(reply)) as StoredReply)
  }

  markSent(turn: string, at: number): boolean {
    const { changes } = this.database.run(
      "UPDATE outbox SET sent_at = ? WHERE turn_id = ? AND sent_at IS NULL",
      at,
      turn,
    )
    return changes === 1
  }

  compact(session: string, owner: string, { at, items, state }: Compaction): readonly StoredItem[] {
    return this.database.transaction(() => {
      this.#fence(session, owner)
      this.database.run("UPDATE items SET is_past = 1 WHERE session_id = ?", session)
      this.saveState(session, state)
      return items.map(({ turn, item }) => ({ id: this.#insert(session, turn, item, at), turn, at, item }))
    })
  }

  addItem(session: string, item: Item, at: number): void {
    this.#insert(session, undefined, item, at)
  }

  saveState(session: string, state: SessionState): void {
    this.database.run("UPDATE sessions SET state = ? WHERE id = ?", JSON.stringify(state), session)
  }

  addNotice({ agent, who, session, at, text }: Notice): void {
    this.database.run(
      "INSERT INTO notices (agent, who, session_id, at, text) VALUES (?, ?, ?, ?, ?)",
      ...[agent, who, session, at, text],
    )
  }

  notices(agent: string, who: string, at: number) {
    return this.database.transaction(() => {
      const rows = this.database.all(
        "SELECT * FROM notices WHERE agent = ? AND who = ? ORDER BY id DESC LIMIT ?",
        ...[agent, who, MOST_NOTICES],
      )
      this.database.run(
        "UPDATE notices SET seen_at = ? WHERE agent = ? AND who = ? AND seen_at IS NULL",
        ...[at, agent, who],
      )
      return rows.toReversed().map((row) => ({
        agent,
        who,
        session: String(row.session_id),
        at: Number(row.at),
        text: String(row.text),
        isNew: row.seen_at === null,
      }))
    })
  }

  close(): void {
    this.database.close()
  }

  /** A process that was thought dead, and was not, may write nothing more. */
  #fence(session: string, owner: string): void {
    const row = this.database.get("SELECT owner FROM sessions WHERE id = ?", session)
    if (row?.owner !== owner)
      throw new IncipitError("session-lost", `another process has taken over the session ${session}`)
  }

  #apply(session: string, change: StepChange): readonly StoredItem[] {
    const { turn, at, append = [], replace = [], state, baseline } = change
    for (const { id, item } of replace)
      this.database.run("UPDATE items SET item = ? WHERE id = ?", JSON.stringify(item), id)
    if (state !== undefined) this.saveState(session, state)
    if (baseline !== undefined)
      this.database.run("UPDATE sessions SET baseline = ? WHERE id = ?", JSON.stringify(baseline), session)
    return append.map((item) => ({ id: this.#insert(session, turn, item, at), turn, at, item }))
  }

  #insert(session: string, turn: string | undefined, item: Item, at: number): number {
    return this.database.run(
      "INSERT INTO items (session_id, turn_id, at, item) VALUES (?, ?, ?, ?)",
      ...[session, turn ?? null, at, JSON.stringify(item)],
    ).id
  }
}

function keyText({ agent, who, situation, trust }: SessionKey): string {
  return JSON.stringify([agent, who, situation, trust])
}

/** Columns hold what this file wrote, so they are read as such. */
function sessionOf(row: Row): StoredSession {
  return {
    id: String(row.id),
    agent: String(row.agent),
    who: String(row.who),
    situation: String(row.situation),
    trust: String(row.trust) as Trust,
    createdAt: Number(row.created_at),
    usedAt: Number(row.used_at),
    baseline: typeof row.baseline === "string" ? (JSON.parse(row.baseline) as Baseline) : undefined,
    state: JSON.parse(String(row.state)) as SessionState,
  }
}

function itemOf(row: Row): StoredItem {
  return {
    id: Number(row.id),
    turn: typeof row.turn_id === "string" ? row.turn_id : undefined,
    at: Number(row.at),
    item: JSON.parse(String(row.item)) as Item,
  }
}

function waitingOf(row: Row): Waiting {
  return {
    order: Number(row.id),
    turn: String(row.turn_id),
    session: String(row.session_id),
    at: Number(row.at),
    message: JSON.parse(String(row.message)) as Incoming,
    takenBy: String(row.taken_by),
    state: String(row.state) as Waiting["state"],
    attempts: Number(row.attempts),
    notBefore: Number(row.not_before),
  }
}

const MOST_NOTICES = 50
const TITLE_CHARACTERS = 60

function titleOf(first: Row[string] | undefined): string {
  if (typeof first !== "string") return ""
  const { text } = JSON.parse(first) as Incoming
  const line = text.trim().replaceAll(/\s+/g, " ")
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS)}...` : line
}
