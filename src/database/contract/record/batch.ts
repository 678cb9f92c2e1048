// What is written together: events, receipts and costs by section, in the order in which they were appended.
import type { PartCost } from "./costs.ts"
import type { NewEventRow } from "./event-row.ts"
import type { NewReceipt, NodeName } from "./receipts.ts"

export type RecordEntry =
  | { readonly kind: "event"; readonly row: NewEventRow }
  /** Replaces the receipt of the same step. */
  | { readonly kind: "receipt"; readonly receipt: NewReceipt }
  | { readonly kind: "parts"; readonly quarter: number; readonly parts: readonly PartCost[] }

export interface Batch {
  readonly entries: readonly RecordEntry[]
  /** How many jobs were dropped since the last batch, for the sum of all processes. */
  readonly dropped: number
  /** The process ends after this call, so that a driver that can block may do so. */
  readonly isLast?: boolean
}

export type Appended =
  /** Another process has the record locked, or it cannot be reached. Nothing was written; the caller tries again. */
  | { readonly kind: "locked" }
  | {
      readonly kind: "written"
      /** The first so many entries; the others took too long for one transaction. */
      readonly count: number
      /** Why some of them could not be written. */
      readonly failures: readonly unknown[]
      /** The nodes of each receipt's conversation, by the entry's place. */
      readonly nodes: ReadonlyMap<number, readonly NodeName[]>
      /** A record that was damaged, and where it was moved to. */
      readonly damaged?: { readonly movedTo: string | undefined; readonly why: string } | undefined
    }
