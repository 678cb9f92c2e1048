// The agent's store: sessions, their transcripts, waiting messages and answers. One SQLite file. Each method is one
// transaction, so a process may die between any two of them and another one continues from there.
import { IncipitError } from "../../base/error.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import { claimSession } from "./claiming.ts"
import { type MendOptions, openMended } from "./mended.ts"
import { mergedState } from "./merged-state.ts"
import { type Move, moveMessage } from "./moving.ts"
import { addNotice, seeNotices } from "./notices.ts"
import { itemIn } from "./readable.ts"
import { itemOf, keyText, listedOf, replyOf, sessionOf, stateOf, waitingOf } from "./rows.ts"
import { STORE_MIGRATIONS } from "./schema.ts"
import { stillThere } from "./still-there.ts"
import type {
  ClaimOptions,
  Compaction,
  Held,
  ListedSession,
  Postponement,
  SessionKey,
  SessionState,
  StateChange,
  StepChange,
  Store,
  StoredNotice,
  StoredReply,
  StoredSession,
  ToolResult,
  Unsent,
  Waiting,
} from "./stored.ts"
import { hasRun, startRun } from "./tool-runs.ts"
import { type Item, inOrder, type StoredItem } from "./transcript.ts"

export interface StoreOptions {
  /** Removes what must never be in the file, such as keys, from every text that is written. */
  readonly text?: (text: string) => string
  /** Without it, a damaged file is refused. */
  readonly mend?: Pick<MendOptions, "now" | "tell">
}

export function openStore(path: string, { mend, ...options }: StoreOptions = {}): Store {
  const open = () => openDatabase(path, { ...options, migrations: STORE_MIGRATIONS })
  return new FileStore(stillThere(mend === undefined ? open() : openMended({ path, open, ...mend })))
}

const MOST_KNOWN = 5_000

/** A row that was read before gives the same item object, so that its message is neither counted nor rendered again. */
interface KnownItem {
  readonly json: string
  readonly item: Item
}

const SESSIONS = "sessions LEFT JOIN baselines ON baselines.session_id = sessions.id"

class FileStore implements Store {
  readonly database: Database
  readonly #known = new Map<number, KnownItem>()

  constructor(database: Database) {
    this.database = database
  }

  session(id: string): StoredSession | undefined {
    const row = this.database.get(`SELECT sessions.*, baseline FROM ${SESSIONS} WHERE id = ?`, id)
    return row && sessionOf(row)
  }

  currentSession(key: SessionKey): StoredSession | undefined {
    const row = this.database.get(
      `SELECT sessions.*, baseline FROM ${SESSIONS} WHERE key = ? ORDER BY used_at DESC, id DESC LIMIT 1`,
      keyText(key),
    )
    return row && sessionOf(row)
  }

  createSession(id: string, key: SessionKey, at: number): StoredSession {
    this.database.run(
      "INSERT INTO sessions (id, key, agent, who, situation, trust, mode, entry, created_at, used_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')",
      ...[
        id,
        keyText(key),
        key.agent,
        key.who,
        key.situation,
        key.trust,
        key.mode,
        key.entry ?? null,
        at,
        at,
      ],
    )
    return { ...key, id, createdAt: at, usedAt: at, baseline: undefined, state: {} }
  }

  sessionFor(key: SessionKey, id: string, at: number): ReturnType<Store["sessionFor"]> {
    return this.database.transaction(() => {
      const current = this.currentSession(key)
      return current === undefined
        ? { session: this.createSession(id, key, at), isNew: true }
        : { session: current, isNew: false }
    })
  }

  sessions(agent: string, key?: SessionKey): readonly ListedSession[] {
    const which = key === undefined ? "" : "AND key = ?"
    const rows = this.database.all(
      `SELECT id, agent, who, situation, trust, mode, entry, created_at, used_at,
        (SELECT count(*) FROM inbox WHERE session_id = sessions.id) AS turns,
        (SELECT message FROM inbox WHERE session_id = sessions.id ORDER BY id LIMIT 1) AS first
      FROM sessions WHERE agent = ? ${which} ORDER BY used_at DESC, id DESC`,
      ...[agent, ...(key === undefined ? [] : [keyText(key)])],
    )
    return rows.map(listedOf)
  }

  rebase(agent: string, reason: string): void {
    this.database.run(
      "UPDATE sessions SET state = json_set(state, '$.rebase', ?) WHERE agent = ?",
      reason,
      agent,
    )
  }

  items(session: string): readonly StoredItem[] {
    return inOrder(this.#present(session))
  }

  #present(session: string): readonly StoredItem[] {
    return this.database
      .all("SELECT * FROM items WHERE session_id = ? AND is_past = 0 ORDER BY id", session)
      .map((row) => itemOf(row, this.#item(Number(row.id), String(row.item))))
  }

  #item(id: number, json: string): Item {
    const known = this.#known.get(id)
    if (known?.json === json) return known.item
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    const item = itemIn(json)
    this.#known.set(id, { json, item })
    return item
  }

  claim(session: string, owner: string, options: ClaimOptions): boolean {
    return claimSession(this.database, { session, owner }, options)
  }

  renew(session: string, owner: string, until: number): void {
    this.database.run("UPDATE sessions SET lease = ? WHERE id = ? AND owner = ?", until, session, owner)
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
      return this.received(id)
    })
  }

  received(id: string): Waiting | undefined {
    const row = this.database.get("SELECT * FROM inbox WHERE message_id = ?", id)
    return row && waitingOf(row)
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

  begin(held: Held, turn: string, isTakenOver = false): boolean {
    return this.#asHolder(held, () => {
      if (isTakenOver) this.database.run("UPDATE inbox SET taken_by = ? WHERE turn_id = ?", held.owner, turn)
      const { changes } = this.database.run(
        "UPDATE inbox SET state = 'working' WHERE turn_id = ? AND state IN ('waiting', 'working')",
        turn,
      )
      return changes === 1
    })
  }

  takeBack(at: number, reply: StoredReply): boolean {
    return this.database.transaction(() => {
      const { changes } = this.database.run(
        `UPDATE inbox SET state = 'done' WHERE turn_id = ? AND state = 'waiting'
        AND NOT EXISTS (SELECT 1 FROM items WHERE items.turn_id = inbox.turn_id)`,
        reply.turn,
      )
      if (changes === 1) this.#answer(at, reply)
      return changes === 1
    })
  }

  change(held: Held, change: StepChange): readonly StoredItem[] {
    return this.#asHolder(held, () => this.#apply(held.session, change))
  }

  startTool(held: Held, run: Parameters<Store["startTool"]>[1]): ReturnType<Store["startTool"]> {
    return this.#asHolder(held, () => startRun(this.database, run))
  }

  finishTool(turn: string, call: string, result: ToolResult): void {
    this.database.run(
      "UPDATE tool_runs SET result = ? WHERE turn_id = ? AND call_id = ?",
      JSON.stringify(result),
      turn,
      call,
    )
  }

  hasRun(turn: string): boolean {
    return hasRun(this.database, turn)
  }

  move(held: Held, move: Move, state: StateChange): void {
    this.#asHolder(held, () => {
      this.#saveState(held.session, state)
      moveMessage(this.database, move)
    })
  }

  postpone(held: Held, { turn, notBefore, asked, error, state }: Postponement): void {
    this.#asHolder(held, () => {
      if (state !== undefined) this.#saveState(held.session, state)
      this.database.run(
        `UPDATE inbox SET state = 'waiting', attempts = attempts + 1, not_before = ?, asked = ?, error = ?
        WHERE turn_id = ?`,
        ...[notBefore, asked === undefined ? null : JSON.stringify(asked), error, turn],
      )
    })
  }

  finish(held: Held, change: StepChange, reply: StoredReply): void {
    const { turn, at } = change
    this.#asHolder(held, () => {
      this.#apply(held.session, change)
      const failed = change.past === undefined ? "failed" : "refused"
      const state = reply.state === "failed" ? failed : "done"
      this.database.run("UPDATE inbox SET state = ? WHERE turn_id = ?", state, turn)
      this.database.run("DELETE FROM tool_runs WHERE turn_id = ?", turn)
      this.#answer(at, reply)
    })
  }

  #answer(at: number, reply: StoredReply): void {
    // There is nothing to send for a silent answer.
    const sent = reply.state === "silent" ? at : null
    this.database.run(
      "INSERT OR IGNORE INTO outbox (turn_id, session_id, at, reply, sent_at) VALUES (?, ?, ?, ?, ?)",
      ...[reply.turn, reply.session, at, JSON.stringify(reply), sent],
    )
  }

  reply(turn: string): StoredReply | undefined {
    const row = this.database.get("SELECT reply FROM outbox WHERE turn_id = ?", turn)
    return row && replyOf(row)
  }

  unsent(agent: string): readonly Unsent[] {
    const rows = this.database.all(
      `SELECT inbox.*, reply, outbox.at AS answered_at FROM outbox
      JOIN inbox ON inbox.turn_id = outbox.turn_id JOIN sessions ON sessions.id = outbox.session_id
      WHERE sent_at IS NULL AND agent = ? ORDER BY outbox.id`,
      agent,
    )
    return rows.map((row) => ({
      reply: replyOf(row),
      at: Number(row.answered_at),
      message: waitingOf(row),
    }))
  }

  isSent(turn: string): boolean {
    return this.database.get("SELECT sent_at FROM outbox WHERE turn_id = ?", turn)?.sent_at != null
  }

  markSent(turn: string, at: number): boolean {
    const unsent = "UPDATE outbox SET sent_at = ? WHERE turn_id = ? AND sent_at IS NULL"
    return this.database.run(unsent, at, turn).changes === 1
  }

  compact(held: Held, { at, known, items, state }: Compaction): readonly StoredItem[] {
    const { session } = held
    return this.#asHolder(held, () => {
      const meanwhile = this.#present(session).filter(({ id }) => !known.includes(id))
      this.database.run("UPDATE items SET is_past = 1 WHERE session_id = ?", session)
      this.#saveState(session, state)
      const made = items.map(({ turn, item }) => ({
        ...{ id: this.#insert(session, turn, item, at), turn, at, item },
      }))
      for (const { item, at: then } of meanwhile) this.#insert(session, undefined, item, then)
      return made
    })
  }

  addItem(session: string, item: Item, at: number): void {
    this.#insert(session, undefined, item, at)
  }

  changeState(session: string, change: Partial<SessionState>): void {
    this.database.transaction(() => {
      const stored = this.#stateOf(session)
      this.#saveState(session, { was: stored, now: { ...stored, ...change } })
    })
  }

  addNotice(notice: StoredNotice): void {
    addNotice(this.database, notice)
  }

  notices(to: Parameters<Store["notices"]>[0], at: number) {
    return seeNotices(this.database, to, at)
  }

  close(): void {
    this.database.close()
  }

  /** A process that lost its session, but is still running, may write nothing more. */
  #asHolder<T>({ session, owner }: Held, work: () => T): T {
    return this.database.transaction(() => {
      const row = this.database.get("SELECT owner FROM sessions WHERE id = ?", session)
      if (row?.owner === owner) return work()
      throw new IncipitError("session-lost", `another process has taken over the session ${session}`)
    })
  }

  #saveState(session: string, change: StateChange): void {
    const state = JSON.stringify(mergedState(this.#stateOf(session), change))
    this.database.run("UPDATE sessions SET state = ? WHERE id = ?", state, session)
  }

  #stateOf(session: string): SessionState {
    const row = this.database.get("SELECT state FROM sessions WHERE id = ?", session)
    return row === undefined ? {} : stateOf(row)
  }

  #apply(session: string, change: StepChange): readonly StoredItem[] {
    const { turn, at, append = [], replace = [], past = [], state, baseline } = change
    for (const { id, item } of replace)
      this.database.run("UPDATE items SET item = ? WHERE id = ?", JSON.stringify(item), id)
    for (const id of past) this.database.run("UPDATE items SET is_past = 1 WHERE id = ?", id)
    if (state !== undefined) this.#saveState(session, state)
    if (baseline !== undefined)
      this.database.run("INSERT OR REPLACE INTO baselines VALUES (?, ?)", session, JSON.stringify(baseline))
    return append.map((item) => ({ id: this.#insert(session, turn, item, at), turn, at, item }))
  }

  #insert(session: string, turn: string | undefined, item: Item, at: number): number {
    return this.database.run(
      "INSERT INTO items (session_id, turn_id, at, item) VALUES (?, ?, ?, ?)",
      ...[session, turn ?? null, at, JSON.stringify(item)],
    ).id
  }
}
