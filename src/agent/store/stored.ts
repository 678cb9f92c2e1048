// What the agent's store keeps, and what may be asked of it. Each method is one transaction.
import type { Digest } from "../../base/digest.ts"
import type { Trust } from "../../base/trust.ts"
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Told } from "../../core/layout/tail.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Database } from "../../database/sqlite/database.ts"
import type { SendOptions } from "../setup/agent.ts"
import type { Reply } from "../turn/live.ts"
import type { Move } from "./moving.ts"
import type { Item, StoredItem } from "./transcript.ts"

/** Who talks with which agent, where, and at what trust: a transcript is never used at another. */
export interface SessionKey {
  readonly agent: string
  readonly who: string
  readonly situation: string
  readonly trust: Trust
  /** A part of the work has sessions of its own, so that nobody goes on with one by chance. */
  readonly mode: Mode
  /** Of the schedule: each entry has sessions of its own, so that none reads what another was about. */
  readonly entry?: string
}

export interface LastCall {
  readonly at: number
  readonly kept: number
  readonly prefix: Digest
  /** The prefix block by block (`prefixBlocks`); sessions from before it was kept have none. */
  readonly blocks?: readonly Digest[]
}

/** What a session remembers besides its transcript and its baseline. Plain data. */
export interface SessionState {
  readonly told?: Told
  readonly planMode?: boolean
  /** Names of the tools that are switched on, if not all are. */
  readonly activeTools?: readonly string[] | undefined
  /** Files that the agent has touched, whose folders' context is told. */
  readonly touched?: readonly string[]
  /** Of these, how many had been touched when the epoch began: the head holds what belongs to them. */
  readonly touchedInHead?: number
  /** Who wrote the whole prompt anew, for the turn before. */
  readonly rewrittenBy?: string
  /** Why the next head begins a new epoch. */
  readonly rebase?: string
  /** When the last call was made, and what it left in the provider's cache. */
  readonly lastCall?: LastCall
  /** The model that refused a system message within this conversation. */
  readonly refusedLate?: string
  /** Changes of the head's sources that were recorded: each once. */
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
  /** The first words that were said in it. */
  readonly title: string
}

/** A message as it was taken in. */
export interface Incoming
  extends Pick<SendOptions, "as" | "channel" | "sender" | "situation" | "mode" | "task"> {
  readonly text: string
  readonly background?: boolean
  readonly planMode?: boolean
  /** A tool waits for the answer and nobody else: it is neither kept for later nor handed over. */
  readonly isPart?: boolean
  /** The entry of the schedule that it is a run of. Its answer is for nobody. */
  readonly entry?: string
  /** Of a part: the trace and the span of the turn that gave it. */
  readonly under?: { readonly trace: string; readonly span?: string }
  /** The span under which its turn stands in the trace. */
  readonly span?: string
}

export interface Waiting {
  /** Messages are worked off in this order. */
  readonly order: number
  readonly turn: string
  readonly session: string
  readonly at: number
  readonly message: Incoming
  /** The open agent that took it in. */
  readonly takenBy: string
  readonly state: "waiting" | "working" | "done" | "failed" | "refused"
  readonly attempts: number
  readonly notBefore: number
  /** Which provider asked to be left alone, and until when. */
  readonly asked: { readonly by: string; readonly until: number } | undefined
}

/** An answer as it is kept; the record has its prompt. */
export type StoredReply = Reply

/** What changes with one step of a turn, all of it or nothing. */
export interface StepChange {
  readonly turn: string
  readonly at: number
  readonly append?: readonly Item[]
  /** Items that stand already, with another text. */
  readonly replace?: readonly { readonly id: number; readonly item: Item }[]
  /** Items by id that the model is no longer told, because they were refused. */
  readonly past?: readonly number[]
  readonly state?: StateChange
  readonly baseline?: Baseline
}

/** What a turn makes of a session's state. What others changed since `was` stays as they left it. */
export interface StateChange {
  readonly was: SessionState
  readonly now: SessionState
}

/** An answer that was not handed over yet. */
export interface Unsent {
  readonly reply: StoredReply
  readonly at: number
  readonly message: Waiting
}

/** Who writes, and where. What a process that has lost the session writes is refused. */
export interface Held {
  readonly session: string
  readonly owner: string
}

export interface Store {
  readonly database: Database
  session(id: string): StoredSession | undefined
  /** The one of them that was used last. */
  currentSession(key: SessionKey): StoredSession | undefined
  createSession(id: string, key: SessionKey, at: number): StoredSession
  /** The current one, or, if there is none, a new one: several who ask at once get the same. */
  sessionFor(
    key: SessionKey,
    id: string,
    at: number,
  ): { readonly session: StoredSession; readonly isNew: boolean }
  /** Those of one key, or all; the one that was used last first. */
  sessions(agent: string, key?: SessionKey): readonly ListedSession[]
  /** The next head of every session begins a new epoch. */
  rebase(agent: string, reason: string): void
  /** As the model reads them: what came from outside while a turn was under way stands after it. */
  items(session: string): readonly StoredItem[]
  /** False if another process has it. */
  claim(session: string, owner: string, options: ClaimOptions): boolean
  /** Holds it for longer, if it is held. */
  renew(session: string, owner: string, until: number): void
  release(session: string, owner: string): void
  /** Takes a message in, once: the same id gives what was taken in first. Nothing if `claim`, asked with it, says no. */
  receive(
    id: string,
    waiting: Omit<Waiting, "order" | "state" | "attempts" | "notBefore" | "asked">,
    claim?: (turn: string) => boolean,
  ): Waiting | undefined
  /** What was taken in under this id. */
  received(id: string): Waiting | undefined
  /** The message that the session got last. */
  lastOf(session: string): Waiting | undefined
  waiting(turn: string): Waiting | undefined
  /** The oldest message of the session that is not done. */
  nextOf(session: string): Waiting | undefined
  /** All sessions with messages that are not done. */
  open(agent: string): readonly Waiting[]
  /** Takes a message up, for another who is gone perhaps; false if it is done, or was taken back. */
  begin(held: Held, turn: string, isTakenOver?: boolean): boolean
  /** Takes a message back that nobody has begun with; false if somebody has. */
  takeBack(at: number, reply: StoredReply): boolean
  change(held: Held, change: StepChange): readonly StoredItem[]
  /** `new`, or what is known of the run that was started before: its result, if it came to one. */
  startTool(
    held: Held,
    run: { readonly turn: string; readonly call: string; readonly at: number },
  ): "new" | { readonly result: ToolResult | undefined }
  finishTool(turn: string, call: string, result: ToolResult): void
  /** Whether the turn has run a tool, whatever came of it. */
  hasRun(turn: string): boolean
  /** Puts a message into another session; what its turn said in this one becomes past. */
  move(held: Held, move: Move, state: StateChange): void
  postpone(held: Held, wait: Postponement): void
  finish(held: Held, change: StepChange, reply: StoredReply): void
  reply(turn: string): StoredReply | undefined
  /** In the order in which they were given. */
  unsent(agent: string): readonly Unsent[]
  isSent(turn: string): boolean
  /** False if it was sent before. */
  markSent(turn: string, at: number): boolean
  /** All that was looked at becomes past, and these items take its place. */
  compact(held: Held, change: Compaction): readonly StoredItem[]
  addItem(session: string, item: Item, at: number): void
  changeState(session: string, change: Partial<SessionState>): void
  addNotice(notice: StoredNotice): void
  /** The newest that this trust may see, oldest first; from then on they count as seen. */
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
  /** Those that were looked at, by id; what came meanwhile stays. */
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
  /** Of the conversation that it came from. */
  readonly trust: Trust
  readonly at: number
  readonly text: string
}

export interface ClaimOptions {
  readonly now: number
  readonly leaseMs: number
  readonly mayBeAlive: (owner: string) => boolean
}
