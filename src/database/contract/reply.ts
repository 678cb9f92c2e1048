// What became of a message, and what that cost.
import type { Usage } from "../../render/cache/price.ts"
import type { ClientCall } from "./client-tools.ts"

/** The tokens and the cost of one call. */
export interface StepCost {
  readonly usage: Usage
  /** Null if the price is unknown. */
  readonly costUsd: number | null
  /** The figures come from a simulated cache, because no provider was called. */
  readonly isSimulated: boolean
}

export const REPLY_STATES = ["answered", "silent", "queued", "waiting", "stopped", "failed"] as const
/** How a message ended. `queued` and `waiting` are not the end: a later reply follows. */
export type ReplyState = (typeof REPLY_STATES)[number]

/** What became of a message, as it is stored; the record has its prompt. */
export interface StoredReply {
  readonly state: ReplyState
  /**
   * The answer; empty if it is silent. For `queued` and `failed`, the text that the person gets instead; for `waiting`,
   * what the model wrote before its calls.
   */
  readonly text: string
  readonly turn: string
  readonly session: string
  readonly steps: number
  /**
   * The cost of its steps, of a summary that it waited for, and of delegated parts. Calls beside the turn (reading the
   * message, the bulletin) are counted only in the record.
   */
  readonly cost: StepCost
  readonly durationMs: number
  /** For `stopped`: a spending limit ended the turn, and `text` says which. */
  readonly isOverLimit?: true
  /** For `waiting`: the calls that the sender runs. Their results go to `resolve`. */
  readonly calls?: readonly ClientCall[]
}
