// What a reader gets who may not see costs, and what a source says that has none.
import type { CostsBy, ShownCosts, Simulated } from "../shown.ts"
import { NO_SUMS } from "./owner-costs.ts"

export function noCosts(by: CostsBy, ways: readonly CostsBy[]): ShownCosts {
  return { by, ways, rows: [], owners: [], total: NO_SUMS, notes: [], isOpen: false }
}

/** Nothing was sent, so nothing was paid for. */
export function nothingSent(by: CostsBy): ShownCosts {
  return { ...noCosts(by, ["owner"]), isOpen: true }
}

export function notSimulated(session: string, why = "Costs need full trust."): Simulated {
  return { session, calls: 0, ways: [], recordedUsd: null, why, notes: [] }
}
