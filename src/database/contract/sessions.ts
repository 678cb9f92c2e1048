// Sessions: whose conversation it is, and what the agent remembers about it besides its transcript.
import type { Digest } from "../../base/digest.ts"
import type { Trust } from "../../base/trust.ts"
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Sent } from "../../core/layout/tail.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Claim, ClaimOptions, Lease } from "./lease.ts"

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

/** The key as text. Equal keys give equal texts. */
export function keyText({ agent, who, situation, trust, mode, entry }: SessionKey): string {
  const key = [agent, who, situation, trust]
  if (entry !== undefined) return JSON.stringify([...key, mode, entry])
  return JSON.stringify(mode === "full" ? key : [...key, mode])
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

/** How a turn changes a session's state. What others changed since `was` is kept. */
export interface StateChange {
  readonly was: SessionState
  readonly now: SessionState
}

/** Whose session it is, without what its prompts need, which is long. */
export interface SessionFacts extends SessionKey {
  readonly id: string
  readonly createdAt: number
  readonly usedAt: number
}

export interface StoredSession extends SessionFacts {
  readonly baseline: Baseline | undefined
  readonly state: SessionState
}

export interface ListedSession extends SessionFacts {
  readonly turns: number
  /** The first words of the conversation. */
  readonly title: string
}

/** Where a session is in the list of sessions: most recently used first, and by id where the times are the same. */
export type ListPlace = Pick<SessionFacts, "usedAt" | "id">

export interface ListOptions {
  /** Only those of this key, which is one of the agent. Default: all of the agent, except those of delegated parts. */
  readonly key?: SessionKey | undefined
  /** Without a key: also those of delegated parts, which a list for people leaves out. */
  readonly withParts?: boolean | undefined
  /** At most this many. Default: all of them. */
  readonly limit?: number | undefined
  /** Only those that come after this place. */
  readonly after?: ListPlace | undefined
}

export interface Sessions {
  get(id: string): Promise<StoredSession | undefined>
  facts(id: string): Promise<SessionFacts | undefined>
  /** The session of this key that was used last. */
  current(key: SessionKey): Promise<StoredSession | undefined>
  create(id: string, key: SessionKey): Promise<StoredSession>
  /** Returns the current one, or creates it under `id`: concurrent callers get the same session. */
  currentOrNew(
    key: SessionKey,
    id: string,
  ): Promise<{ readonly session: SessionFacts; readonly isNew: boolean }>
  /** Most recently used first. With a limit, the work does not grow with the number of sessions. */
  list(agent: string, options?: ListOptions): Promise<readonly ListedSession[]>
  /** Makes the next head of every session begin a new epoch. */
  rebase(agent: string, reason: string): Promise<void>
  /** For callers outside of a turn; a turn saves its state with its other changes. */
  changeState(session: string, change: Partial<SessionState>): Promise<void>
  claim(session: string, options: ClaimOptions): Promise<Claim>
  /** Extends the lease. Returns false if it is lost. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>
  /** Does nothing if the lease is lost. */
  release(lease: Lease): Promise<void>
}
