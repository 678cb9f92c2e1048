// Where events, receipts and costs are kept, as an interface that each database driver implements. One method is one
// question or one transaction; plain data goes in and out.
import type { Appended, Batch } from "./batch.ts"
import type { CostAnswer, CostQuestion, KeyedFigures } from "./costs.ts"
import type { EventLog } from "./event-log.ts"
import type { Receipts } from "./receipts.ts"
import type { RecordUpkeep } from "./upkeep.ts"

/** Values about the whole record. */
export interface RecordFacts {
  /** Jobs that could not be written, of all processes. */
  readonly dropped: number
  /** Where the last damaged record was moved to. */
  readonly damaged: string | undefined
  /** When it was last pruned: an ISO date. */
  readonly pruned: string | undefined
}

/** An open record, for queries. Its methods throw if it cannot be read. */
export interface RecordStore {
  /** Its path, or the name of the database. */
  readonly path: string
  readonly events: EventLog
  readonly receipts: Receipts
  costs(question: CostQuestion): Promise<CostAnswer>
  /** What each of these sessions cost, in no order; the work does not grow with the record. */
  sessionCosts(sessions: readonly string[]): Promise<readonly KeyedFigures[]>
  facts(): Promise<RecordFacts>
  /**
   * Writes the entries of a batch completely or not at all, except those that cannot be written themselves. Throws if
   * nothing can be written. A driver that works without waiting answers at once, even while the process ends.
   */
  append(batch: Batch): Appended | Promise<Appended>
  readonly upkeep: RecordUpkeep
  close(): Promise<void>
}
