// What came in over a channel, each exactly once, and how far the channel was read. A message goes into the inbox with
// `inbox.receive(message, { arrival })`; what is no message is settled here.
import type { Arrival } from "../arrival.ts"
import type { Incoming } from "../inbox.ts"

/** What became of an arrival. */
export interface StoredArrival {
  readonly channel: string
  readonly id: string
  readonly at: number
  /** The turn of its message; undefined if it was no message. */
  readonly turn: string | undefined
  readonly replyTo: string | undefined
}

export interface MessageEdit {
  /** The id of the arrival that is edited. */
  readonly of: string
  readonly message: Incoming
}

/**
 * `known`: this edit was taken before. `too-late`: work on the message has begun, and `unknown`: there is no such message.
 * In both cases nothing is stored: receive the edit as a message, or settle it.
 */
export type Edited = "edited" | "known" | "too-late" | "unknown"

export interface Channels {
  /** Undefined before anything was received. */
  offset(channel: string): Promise<string | undefined>
  /** Takes an arrival that is no message. Returns false if it was taken before. */
  settle(arrival: Arrival): Promise<boolean>
  /** Replaces a message that no worker has begun. */
  edit(arrival: Arrival, edit: MessageEdit): Promise<Edited>
  arrival(channel: string, id: string): Promise<StoredArrival | undefined>
  /** The arrival that a turn answers. */
  arrivalOf(turn: string): Promise<StoredArrival | undefined>
}
