// What the agent's store keeps, and its methods. Each method is one transaction.
import type { Digest } from "../../base/digest.ts"
import type { Trust } from "../../base/trust.ts"
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Sent } from "../../core/layout/tail.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Database } from "../../database/sqlite/database.ts"
import type { From } from "../inbox/from.ts"
import type { Reply } from "../turn/live.ts"
import type { Move } from "./moving.ts"
import type { Item, StoredItem } from "./transcript.ts"

/** Who talks with which agent, where, and at what trust. A transcript is never used at another trust. */
export interface SessionKey {
  readonly agent: string
  readonly who: string
  readonly situation: string
  readonly trust: Trust
  /** A delegated part has separate sessions, so that no conversation continues one by accident. */
  readonly mode: Mode
  /** A schedule entry. Each has separate sessions, so that none reads the transcript of another. */
  readonly entry?: string
}

export interface LastCall {
  readonly at: number
  readonly kept: number
  readonly prefix: Digest
  /** The prefix block by block (`prefixBlocks`); undefined for sessions older than this field. */
  readonly blocks?: readonly Digest[]
}

/** What a session remembers in addition to its transcript and its baseline. Plain data. */
export interface SessionState {
  readonly sent?: Sent
  readonly planMode?: boolean
  /** Names of the active tools; undefined if all are. */
  readonly activeTools?: readonly string[] | undefined
  /** Files that the agent has touched; the context of their folders is in the prompt. */
  readonly touched?: readonly string[]
  /** How many of these had been touched when the epoch began: the head holds the context for them. */
  readonly touchedInHead?: number
  /** The hook that rewrote the whole prompt in the previous turn. */
  readonly rewrittenBy?: string
  /** Why the next head begins a new epoch. */
  readonly rebase?: string
  /** When the last call was made, and what it left in the provider's cache. */
  readonly lastCall?: LastCall
  /** The model that refused a late system message in this conversation. */
  readonly refusedLate?: string
  /** Changes of the head's sources that were recorded, so that each is recorded once. */
  readonly noticed?: readonly string[]
}

export interface StoredSession extends SessionKey {
  readonly id: string
  readonly createdAt: number
  readonly usedAt: number
  readonly baseline: Baseline | undefined
  readonly state: SessionState
}

export interface ListedSession extends Omit<StoredSession, "baseline" | "state"> {
  readonly turns: number
  /** The first words of the conversation. */
  readonly title: string
}

/** A message as it was received. */
export interface Incoming extends From {
  readonly text: string
  readonly mode?: Mode
  readonly task?: string
  readonly background?: boolean
  readonly planMode?: boolean
  /** A tool waits for the answer, so it is neither kept for later nor delivered. */
  readonly isPart?: boolean
  /** The schedule entry that it is a run of. Its answer is not delivered. */
  readonly entry?: string
  /** For a delegated part: the trace and span of the turn that delegated it. */
  readonly under?: { readonly trace: string; readonly span?: string }
  /** The parent span of its turn in the trace. */
  readonly span?: string
}

export interface Waiting {
  /** Messages are processed in this order. */
  readonly order: number
  readonly turn: string
  readonly session: string
  readonly at: number
  readonly message: Incoming
  /** The open agent that received it. */
  readonly takenBy: string
  readonly state: "waiting" | "working" | "done" | "failed" | "refused"
  readonly attempts: number
  readonly notBefore: number
  /** Which provider asked to wait, and until when. */
  readonly asked: { readonly by: string; readonly until: number } | undefined
}

/** An answer as it is stored; the record has its prompt. */
export type StoredReply = Reply

/** The changes of one step of a turn, written all or none. */
export interface StepChange {
  readonly turn: string
  readonly at: number
  readonly append?: readonly Item[]
  /** Existing items whose text changes. */
  readonly replace?: readonly { readonly id: number; readonly item: Item }[]
  /** Ids of items that are no longer sent to the model because a provider refused them. */
  readonly past?: readonly number[]
  readonly state?: StateChange
  readonly baseline?: Baseline
}

/** How a turn changes a session's state. What others changed since `was` is kept. */
export interface StateChange {
  readonly was: SessionState
  readonly now: SessionState
}

/** An answer that was not delivered yet. */
export interface Unsent {
  readonly reply: StoredReply
  readonly at: number
  readonly message: Waiting
}

/** Who writes, and to which session. Writes of a process that has lost the session are refused. */
export interface Held {
  readonly session: string
  readonly owner: string
}

export interface Store {
  readonly database: Database
  session(id: string): StoredSession | undefined
  /** The session of this key that was used last. */
  currentSession(key: SessionKey): StoredSession | undefined
  createSession(id: string, key: SessionKey, at: number): StoredSession
  /** Returns the current one, or creates it: concurrent callers get the same session. */
  sessionFor(
    key: SessionKey,
    id: string,
    at: number,
  ): { readonly session: StoredSession; readonly isNew: boolean }
  /** The sessions of one key, or all of them, most recently used first. */
  sessions(agent: string, key?: SessionKey): readonly ListedSession[]
  /** Makes the next head of every session begin a new epoch. */
  rebase(agent: string, reason: string): void
  /** In the order in which the model reads them: items that came from outside during a turn follow that turn. */
  items(session: string): readonly StoredItem[]
  /** Returns false if another process has it. */
  claim(session: string, owner: string, options: ClaimOptions): boolean
  /** Extends the lease, if it is held. */
  renew(session: string, owner: string, until: number): void
  release(session: string, owner: string): void
  /**
   * Stores a message once: for a known id, returns the message stored first. Returns undefined if `claim`, called in
   * the same transaction, returns false.
   */
  receive(
    id: string,
    waiting: Omit<Waiting, "order" | "state" | "attempts" | "notBefore" | "asked">,
    claim?: (turn: string) => boolean,
  ): Waiting | undefined
  /** The message stored under this id. */
  received(id: string): Waiting | undefined
  /** The newest message of the session. */
  lastOf(session: string): Waiting | undefined
  waiting(turn: string): Waiting | undefined
  /** The oldest unfinished message of the session. */
  nextOf(session: string): Waiting | undefined
  /** Unfinished messages of all sessions. */
  open(agent: string): readonly Waiting[]
  /**
   * Starts work on a message, perhaps in place of an owner that is gone. Returns false if it is done or was taken back.
   */
  begin(held: Held, turn: string, isTakenOver?: boolean): boolean
  /** Takes back a message that no worker has begun; returns false otherwise. */
  takeBack(at: number, reply: StoredReply): boolean
  change(held: Held, change: StepChange): readonly StoredItem[]
  /** Returns `new`, or what is known of an earlier run: its result, if it has one. */
  startTool(
    held: Held,
    run: { readonly turn: string; readonly call: string; readonly at: number },
  ): "new" | { readonly result: ToolResult | undefined }
  finishTool(turn: string, call: string, result: ToolResult): void
  /** Whether the turn has run a tool, whatever the outcome. */
  hasRun(turn: string): boolean
  /** Moves a message to another session; the items of its turn become past here. */
  move(held: Held, move: Move, state: StateChange): void
  postpone(held: Held, wait: Postponement): void
  finish(held: Held, change: StepChange, reply: StoredReply): void
  reply(turn: string): StoredReply | undefined
  /** In the order in which they were given. */
  unsent(agent: string): readonly Unsent[]
  isSent(turn: string): boolean
  /** Returns false if it was sent before. */
  markSent(turn: string, at: number): boolean
  /** Marks everything that was summarised as past and puts these items in its place. */
  compact(held: Held, change: Compaction): readonly StoredItem[]
  addItem(session: string, item: Item, at: number): void
  changeState(session: string, change: Partial<SessionState>): void
  addNotice(notice: StoredNotice): void
  /** The newest notices that this trust may see, oldest first; marks them as seen. */
  notices(
    to: Pick<StoredNotice, "agent" | "who" | "trust">,
    at: number,
  ): readonly (StoredNotice & { readonly isNew: boolean })[]
  close(): void
}

export interface Postponement {
  readonly turn: string
  readonly notBefore: number
  readonly asked?: Waiting["asked"]
  readonly error: string
  readonly state?: StateChange
}

export interface Compaction {
  readonly at: number
  /** The ids that were summarised; items that came later stay. */
  readonly known: readonly number[]
  readonly items: readonly Pick<StoredItem, "turn" | "item">[]
  readonly state: StateChange
}

export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

export interface StoredNotice {
  readonly agent: string
  readonly who: string
  readonly session: string
  /** The trust of the conversation that it came from. */
  readonly trust: Trust
  readonly at: number
  readonly text: string
}

export interface ClaimOptions {
  readonly now: number
  readonly leaseMs: number
  readonly mayBeAlive: (owner: string) => boolean
}
