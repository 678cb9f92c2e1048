// What calls have cost, for limits per turn, day and person. The record has the details, but no turn asks the record.
import type { Whose } from "../people.ts"

export interface CallSpending extends Whose {
  /** The same call counts once. */
  readonly id: string
  readonly turn: string
  /** Null if the price is unknown. */
  readonly costUsd: number | null
}

/** Everything that is defined must match. */
export interface SpendingFilter {
  readonly agent?: string | undefined
  readonly who?: string | undefined
  readonly turn?: string | undefined
  /** How far to look back; for a day, the time since midnight where the limit applies. */
  readonly withinMs?: number | undefined
}

export interface SpendingSum {
  readonly costUsd: number
  readonly calls: number
  /** Calls without a known price, which are not in `costUsd`. */
  readonly unpriced: number
}

export interface Spending {
  add(call: CallSpending): Promise<void>
  sum(filter: SpendingFilter): Promise<SpendingSum>
}
