// Adds the cost of one call, part by part, to the sums behind queries by section or file. The receipt of the step
// determines the parts.
import type { Database } from "../../database/sqlite/database.ts"
import { inputOf } from "../../render/cache/price.ts"
import type { RecordEvent } from "../write/event.ts"
import { callCost } from "../write/insert.ts"
import type { StoredPlan } from "../write/receipt-cache.ts"
import type { Recorder } from "../write/record.ts"
import { attribute, inputParts, type Share } from "./attribute.ts"
import { QUARTER_MS } from "./call-sums.ts"
import { findReceipt, reportOf, reportOfPlan } from "./replay.ts"

/** The facts of an `api_call` event; the event itself fits. */
export type CallFacts = Pick<RecordEvent, "at" | "session" | "turn" | "step" | "usage" | "price" | "costUsd">

/**
 * Queues the cost of a call once its usage is known. Does not append the event. Save the receipt of the step first;
 * without one, all input counts as conversation.
 */
export function saveUsage(recorder: Recorder, call: CallFacts): void {
  if (call.usage === undefined) return
  recorder.enqueue({
    texts: [],
    write: (database) => addSectionCosts(database, sharesOf(recorder, database, call), call.at),
  })
}

/** The shares of a call, from the receipt of its step. */
function sharesOf(recorder: Recorder, database: Database, call: CallFacts): readonly Share[] {
  const { usage, price = null } = call
  if (usage === undefined) return []
  const plan = planOf(recorder, database, call)
  const input = inputOf(usage)
  const parts = plan
    ? inputParts(reportOfPlan(plan), { input, ...(plan.after !== undefined && { after: plan.after }) })
    : []
  return attribute(parts, { usage, price, costUsd: callCost(call) })
}

function planOf(recorder: Recorder, database: Database, { turn, step }: CallFacts): StoredPlan | undefined {
  if (turn === undefined) return undefined
  const recent = recorder.receipts.planOf({ turn, step })
  if (recent !== undefined) return recent
  const receipt = findReceipt(database, turn, step)
  return receipt && reportOf(database, receipt)?.plan
}

const ADD = `INSERT INTO section_costs (quarter, section, path, fresh, cache_read, cache_write, output, unpriced, cost_usd)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET fresh = fresh + excluded.fresh, cache_read = cache_read + excluded.cache_read,
  cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
  unpriced = unpriced + excluded.unpriced, cost_usd = cost_usd + excluded.cost_usd`

/** `unpriced` counts the shares without a known cost, so that an incomplete sum is not taken for the whole. */
function addSectionCosts(database: Database, shares: readonly Share[], at: number): void {
  for (const { usage, costUsd, path = "", ...part } of shares) {
    const { uncached, read, output } = usage
    const written = inputOf(usage) - uncached - read
    if (uncached + read + written + output === 0) continue
    database.run(
      ADD,
      Math.floor(at / QUARTER_MS),
      sectionName(part),
      path,
      uncached,
      read,
      written,
      output,
      costUsd === null ? 1 : 0,
      costUsd ?? 0,
    )
  }
}

/** Parts that are not sections get names that no section can have. */
function sectionName({ kind, id }: Pick<Share, "kind" | "id">): string {
  if (kind === "section") return id
  return kind === "tool" ? `tool:${id}` : `(${kind})`
}
