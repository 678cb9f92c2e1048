// The outbox: answers, and whether their receiver has taken them.
import type { Waiting } from "./inbox.ts"
import type { StoredReply } from "./reply.ts"

/** An answer that was not delivered yet. */
export interface Unsent {
  readonly reply: StoredReply
  readonly at: number
  /** Without its files. */
  readonly message: Waiting
}

export interface Outbox {
  reply(turn: string): Promise<StoredReply | undefined>
  /** In the order in which they were given. */
  unsent(agent: string): Promise<readonly Unsent[]>
  isSent(turn: string): Promise<boolean>
  /** Returns false if it was sent before. */
  markSent(turn: string): Promise<boolean>
}
