// Turns that wait for something outside: an approval, tools that the client runs, or a later time. No worker holds the
// session meanwhile. And messages that steer a turn that is being worked on.
import type { Waiting } from "./inbox.ts"
import type { Lease } from "./lease.ts"
import type { StateChange } from "./sessions.ts"

export const WAIT_KINDS = ["approval", "client-tools"] as const
export type WaitKind = (typeof WAIT_KINDS)[number]

/** Something that a turn waits for. */
export interface NewWait {
  readonly id: string
  readonly kind: WaitKind
  /** What is asked, as JSON. */
  readonly request: string
  /** An answer after that counts as none. */
  readonly expiresInMs: number
}

export interface Suspension {
  readonly turn: string
  readonly on: readonly NewWait[]
  readonly state?: StateChange
}

export interface StoredWait extends Omit<NewWait, "expiresInMs"> {
  readonly turn: string
  readonly session: string
  readonly at: number
  readonly expiresAt: number
  /** JSON; undefined while it is open. */
  readonly answer: string | undefined
}

/** `answered`: others of the same turn are still open. */
export type Resolved = "resumed" | "answered" | "expired" | "unknown"

export interface Waits {
  /** Suspends the turn and ends the lease. Messages after it in the session wait, too. */
  suspend(lease: Lease, suspension: Suspension): Promise<void>
  /** Answers once. With the last answer, the message waits for a worker again. `answer`: JSON. */
  resolve(wait: string, answer: string): Promise<Resolved>
  /**
   * Lets the turns of an agent go on that wait for an answer which has expired. Returns how many there were. Their open
   * waits get the answer `null`.
   */
  expire(agent: string): Promise<number>
  /** What a turn waits or has waited for, in the order in which it was asked. */
  of(turn: string): Promise<readonly StoredWait[]>
  /** Open ones of an agent, oldest first. */
  open(agent: string, kind: WaitKind): Promise<readonly StoredWait[]>
}

/** Messages that came during a turn and were received with `steers`. */
export interface Steering {
  /**
   * Those for this turn whose words are not in its transcript yet, oldest first. From now on they are neither edited nor
   * taken back. Write their words and name them in `joined` of the same change: if the process dies before that, the
   * next holder gets them here again.
   */
  take(lease: Lease, turn: string): Promise<readonly Waiting[]>
}
