// Adds the cost of one call, part by part, to the sums behind queries by section or file. The receipt of the step
// determines the parts.
import { type PartCost, QUARTER_MS } from "../../database/contract/record/costs.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { inputOf } from "../../render/cache/price.ts"
import type { RecordEvent } from "../write/event.ts"
import { callCost } from "../write/event-row.ts"
import type { StoredPlan } from "../write/receipt-cache.ts"
import type { Recorder } from "../write/record.ts"
import type { Job } from "../write/record-jobs.ts"
import { attribute, inputParts, type Share } from "./attribute.ts"
import { findReceipt, reportOf, reportOfPlan } from "./replay.ts"

/** The facts of an `api_call` event; the event itself fits. */
export type CallFacts = Pick<RecordEvent, "at" | "session" | "turn" | "step" | "usage" | "price" | "costUsd">

/**
 * Queues the cost of a call once its usage is known. Does not append the event. Save the receipt of the step first;
 * without one, all input counts as conversation.
 */
export function saveUsage(recorder: Recorder, call: CallFacts): void {
  if (call.usage === undefined) return
  recorder.enqueue(usageJob(recorder, call))
}

function usageJob(recorder: Recorder, call: CallFacts): Job {
  const { turn, step } = call
  let plan: StoredPlan | undefined
  return {
    get texts() {
      // Now, while the plan of a receipt that is written in the same batch is at hand.
      plan ??= turn === undefined ? undefined : recorder.receipts.planOf({ turn, step })
      return []
    },
    get ask() {
      if (plan !== undefined || turn === undefined) return undefined
      return async (store: RecordStore) => {
        const receipt = await findReceipt(store, turn, step)
        plan = receipt && (await reportOf(store, receipt))?.plan
      }
    },
    entry: () => ({
      kind: "parts",
      quarter: Math.floor(call.at / QUARTER_MS),
      parts: partCosts(sharesOf(call, plan)),
    }),
  }
}

/** The shares of a call, by the plan of its step. */
function sharesOf(call: CallFacts, plan: StoredPlan | undefined): readonly Share[] {
  const { usage, price = null } = call
  if (usage === undefined) return []
  const input = inputOf(usage)
  const parts = plan
    ? inputParts(reportOfPlan(plan), { input, ...(plan.after !== undefined && { after: plan.after }) })
    : []
  return attribute(parts, { usage, price, costUsd: callCost(call) })
}

/** `unpriced` counts the shares without a known cost, so that an incomplete sum is not taken for the whole. */
function partCosts(shares: readonly Share[]): readonly PartCost[] {
  return shares.flatMap(({ usage, costUsd, path = "", ...part }) => {
    const { uncached: fresh, read: cacheRead, output } = usage
    const cacheWrite = inputOf(usage) - fresh - cacheRead
    if (fresh + cacheRead + cacheWrite + output === 0) return []
    const unpriced = costUsd === null ? 1 : 0
    const section = sectionName(part)
    return [{ section, path, fresh, cacheRead, cacheWrite, output, unpriced, costUsd: costUsd ?? 0 }]
  })
}

/** Parts that are not sections get names that no section can have. */
function sectionName({ kind, id }: Pick<Share, "kind" | "id">): string {
  if (kind === "section") return id
  return kind === "tool" ? `tool:${id}` : `(${kind})`
}
