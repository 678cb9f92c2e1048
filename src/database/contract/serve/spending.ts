// What calls have cost, for limits per turn, day and person. The record has the details, but no turn asks the record.
import type { Whose } from "../people.ts"

export interface CallCost {
  /** Null if the price is unknown. */
  readonly costUsd: number | null
  readonly tokens: number
}

export interface CallSpending extends Whose, CallCost {
  /** The same call counts once. */
  readonly id: string
  readonly turn: string
}

/** A call that is about to be made, with the most that it can cost. */
export interface NewReservation extends CallSpending {
  /** If it is not settled by then, its process is gone, and it no longer counts. */
  readonly leaseMs: number
}

/** Everything that is defined must match. */
export interface SpendingFilter {
  readonly agent?: string | undefined
  readonly who?: string | undefined
  readonly turn?: string | undefined
  /** How far to look back; for a day, the time since midnight where the limit applies. */
  readonly withinMs?: number | undefined
}

/** The most that calls may cost together, in dollars, tokens or both. */
export interface SpendingLimit extends SpendingFilter {
  readonly mostUsd?: number | undefined
  readonly mostTokens?: number | undefined
}

/** Open reservations count. */
export interface SpendingSum {
  readonly costUsd: number
  readonly tokens: number
  readonly calls: number
  /** Calls without a known price, which are not in `costUsd`. */
  readonly unpriced: number
  /** Calls that are being made: their part of the sums is the most that they can cost. */
  readonly open: number
}

export type Reserved =
  | { readonly kind: "reserved" }
  /** With the call, `limit` would be passed: its place among the limits, and what counts against it already. */
  | { readonly kind: "exceeds"; readonly limit: number; readonly used: SpendingSum }

export interface Spending {
  /**
   * Reserves what a call can cost if no limit is passed with it, in one transaction: calls made at once by any number of
   * turns and processes stay within the limits together. A call without a price counts against tokens only.
   */
  reserve(call: NewReservation, limits: readonly SpendingLimit[]): Promise<Reserved>
  /** Puts what the call has cost in place of what was reserved, also after its lease. */
  settle(id: string, cost: CallCost): Promise<void>
  /** Gives back what was reserved: the call was not made, or cost nothing. */
  release(id: string): Promise<void>
  /** A call that was made without a reservation. */
  add(call: CallSpending): Promise<void>
  sum(filter: SpendingFilter): Promise<SpendingSum>
}
