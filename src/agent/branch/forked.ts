// What a program says and gets when it forks a session: the types of `fork.ts`.
import type { Sender } from "../../database/contract/sender.ts"

/** Who forks a session, and where. */
export interface ForkOptions extends Sender {
  /** A turn of the session: the new one has the conversation before its message. Without it, all of the conversation. */
  readonly at?: string
}

/** A session that was forked from another. */
export interface Forked {
  /** The new session; it is the sender's current one now. */
  readonly session: string
  /** The session that it comes from, which stays as it is. */
  readonly from: string
  /** The line that tells the model what was left behind; undefined if nothing was. */
  readonly summary?: string
  /** The text of the message at which it was forked, to change it and send it again. */
  readonly message?: string
}
