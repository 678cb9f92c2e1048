// The plan of a recorded call, as far as a reader may see it.
import type { Report } from "../../../core/read/report.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { type Receipt, receiptsOf, reportOf, type Texts } from "../../../record/ask/replay.ts"
import type { CacheRule } from "../../../render/cache/cache-rule.ts"
import { ruleFor } from "../../../render/cache/cache-rules.ts"
import type { Seen } from "../../api/sessions/seen.ts"
import { visibleReport } from "../../api/sessions/visible-report.ts"
import { hasTail, type Planned } from "./plan-spans.ts"

export interface ReadPlan {
  /** Undefined if it can no longer be read. */
  readonly planned: Planned | undefined
  readonly rule: CacheRule
}

export interface Reading {
  readonly seen: Seen
  readonly texts: Texts
}

export async function readPlan(store: RecordStore, receipt: Receipt, reading: Reading): Promise<ReadPlan> {
  const stored = await reportOf(store, receipt, reading.texts)
  const rule = stored?.plan.rule ?? ruleFor(receipt.model)
  if (stored === undefined) return { planned: undefined, rule }
  const tail = hasTail(stored.report) ? stored.report : await earlierTail(store, receipt, reading)
  const shown = (report: Report) => (reading.seen.sight === undefined ? report : visibleReport(report))
  return { planned: { report: shown(stored.report), tail: shown(tail ?? stored.report) }, rule }
}

/** A step that has nothing new to say repeats the turn's text of an earlier one. */
async function earlierTail(store: RecordStore, { turn, step }: Receipt, { texts }: Reading) {
  const earlier = (await receiptsOf(store, turn)).filter((receipt) => receipt.step < step)
  for (const receipt of earlier.toReversed()) {
    const report = (await reportOf(store, receipt, texts))?.report
    if (report !== undefined && hasTail(report)) return report
  }
  return undefined
}
