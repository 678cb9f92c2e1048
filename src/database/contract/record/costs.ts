// What calls cost, as sums that outlive the events. A caller with limited sight gets sums over the events that it sees.
import type { CostKey } from "../../../base/cost-keys.ts"
import type { Sight } from "./event-log.ts"

/** Sums are kept per quarter of an hour, because every time zone's offset is a whole number of quarters. */
export const QUARTER_MS = 15 * 60_000

export interface CostQuestion {
  /** For days: the keys are quarters. */
  readonly by: CostKey
  /** Whole quarters since 1970, the end excluded; absent if the range is open. */
  readonly first?: number | undefined
  readonly end?: number | undefined
  readonly sight?: Sight | undefined
}

export interface CostFigures {
  readonly calls: number
  readonly unpriced: number
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly costUsd: number
}

export interface KeyedFigures extends CostFigures {
  readonly key: string
}

export interface CostAnswer {
  /** By key, in the order of code points. `calls` is 0 for sections and files. */
  readonly rows: readonly KeyedFigures[]
  /** Undefined if there are no rows. */
  readonly total: CostFigures | undefined
  /** The turns with calls in the range, counting only those calls. */
  readonly turns: {
    readonly count: number
    readonly calls: number
    readonly unpriced: number
    readonly costUsd: number
  }
  /** Calls without a price in the range, whoever sees them. */
  readonly unpricedCalls: number
  /** Calls whose tokens are unknown. */
  readonly unmeasured: number
}

/** A part of a call's cost, to be added to the sums by section and file. */
export interface PartCost {
  readonly section: string
  readonly path: string
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly unpriced: 0 | 1
  readonly costUsd: number
}
