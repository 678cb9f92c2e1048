// Transcripts: the items of a conversation, messages and whatever else the model reads or people may look up.
import type { Trust } from "../../base/trust.ts"
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Message } from "../../core/model/message.ts"
import type { Lease } from "./lease.ts"
import type { SessionState, StateChange } from "./sessions.ts"

export type Item =
  | {
      readonly kind: "message"
      readonly message: Message
      /** Set on a message that opens a turn. */
      readonly by?: Speaker
    }
  /** From a hook or a host; the model reads it as the user's. */
  | { readonly kind: "custom"; readonly by: string; readonly text: string; readonly data?: unknown }
  /** A command that the person ran. The model sees `!cmd`, but not `!!cmd`. */
  | {
      readonly kind: "shell"
      readonly command: string
      readonly output: string
      readonly exitCode: number | null
      readonly isSent: boolean
    }
  /** Replaces everything before it. */
  | { readonly kind: "summary"; readonly text: string }
  /** One line about what was left behind when the conversation was forked here. */
  | { readonly kind: "branch"; readonly text: string }

/** Who sent a message. Without a name, the configuration does not know the sender. */
export interface Speaker {
  readonly name?: string
  /** The identity on the channel, such as "telegram:4712". */
  readonly id?: string
  /** Their trust in this conversation. */
  readonly trust: Trust
}

/** An item with its place in the conversation. */
export interface StoredItem {
  /** Counts from 1 in each session. Later items have higher numbers. */
  readonly seq: number
  readonly turn: string | undefined
  readonly at: number
  readonly item: Item
}

/** The changes of one step of a turn, written all or none. */
export interface StepChange {
  readonly turn: string
  readonly append?: readonly Item[]
  /** Existing items whose text changes. */
  readonly replace?: readonly { readonly seq: number; readonly item: Item }[]
  /** Items that are no longer sent to the model because a provider refused them. */
  readonly past?: readonly number[]
  /** The turns of messages from `steering.take` whose words are in `append`. Each joins once, or nothing is written. */
  readonly joined?: readonly string[]
  readonly state?: StateChange
  readonly baseline?: Baseline
}

export interface Compaction {
  /** The items that were summarised; those that came later stay. */
  readonly known: readonly number[]
  readonly items: readonly Pick<StoredItem, "turn" | "item">[]
  readonly state: StateChange
}

export interface Fork {
  /** The id of the new session. */
  readonly as: string
  readonly upTo: number
  /** What follows there, such as a line about what was left behind or the messages of a client. */
  readonly append?: readonly Item[]
  /** What of the session's state goes along; nothing, if undefined. */
  readonly state?: SessionState
}

/** Where a session was forked. */
export interface Branch {
  readonly session: string
  readonly from: string
  readonly upTo: number
  readonly at: number
}

export interface Transcripts {
  /**
   * In the order in which the model reads them: items that came from outside during a turn follow that turn. An item
   * that has not changed is the same object as before.
   */
  read(session: string): Promise<readonly StoredItem[]>
  /** Returns the appended items. */
  change(lease: Lease, change: StepChange): Promise<readonly StoredItem[]>
  /** Marks everything that was summarised as past and puts these items in its place, which it returns. */
  compact(lease: Lease, change: Compaction): Promise<readonly StoredItem[]>
  /** From outside of a turn; all or none. */
  add(session: string, ...items: readonly Item[]): Promise<void>
  /**
   * Begins a session that shares the conversation up to an item, under the id `as`. Its prompt begins with the same head,
   * so that the provider's cache is of use. It counts as used last. What was summarised after that item is there in full,
   * unless retention has removed it. Returns undefined if there is no such session.
   */
  fork(session: string, fork: Fork): Promise<Branch | undefined>
  /** The number of the first item of a turn, also if that is past. */
  begins(session: string, turn: string): Promise<number | undefined>
  /** The sessions that were forked from this one, oldest first. */
  branches(session: string): Promise<readonly Branch[]>
}
