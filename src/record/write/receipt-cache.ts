// What an open record remembers of its last receipts, so that the next one costs only what is new.
import type { Report, ReportSection } from "../../core/read/report.ts"
import { refOf } from "../../database/text-ref.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { type CommonPart, createCommonParts } from "./common-parts.ts"
import { createKnownRequests, type KnownRequests } from "./known-request.ts"
import type { JsonObject } from "./request-marks.ts"

/** What is stored of a plan. The part that changes with every step is separate. */
export interface StoredPlan {
  readonly budget: Report["budget"]
  /** The share of the conversation that comes after the tail. */
  readonly after?: number
  readonly rule?: CacheRule
  /** For a request that another program made: what else is known of the call. */
  readonly about?: JsonObject
  readonly report: Omit<Report, "budget" | "sections"> & {
    /** In runs of one pace, so that an unchanged run is one unchanged text. */
    readonly runs: readonly (readonly ReportSection[])[]
  }
}

/** Names a step. */
export interface StepName {
  readonly turn: string
  readonly step: number | undefined
}

export interface ReceiptCache {
  /** The last request of each session. */
  readonly requests: KnownRequests
  /**
   * The plan of one of the last steps; undefined for older ones. The cost of a call arrives soon after its receipt, and
   * reading the plan back would take as long.
   */
  planOf(step: StepName): StoredPlan | undefined
  /** Until `dropOldPlans`, all are kept: the costs of a step may be written together with its receipt. */
  keepPlan(step: StepName, plan: StoredPlan): void
  dropOldPlans(): void
  /** Whether the redactor has left a text unchanged, so that a long conversation is not scanned at every step. */
  isClean(text: string): boolean
  keepClean(text: string): void
  /** The common part with this JSON. */
  readonly partOf: (json: string) => CommonPart
  /** Those of which the redactor has left every text unchanged. */
  readonly cleanParts: WeakSet<CommonPart>
}

const MOST_PLANS = 64
const MOST_CLEAN = 100_000

export function createReceiptCache(): ReceiptCache {
  const plans = new Map<string, StoredPlan>()
  const clean = new Set<string>()
  return {
    requests: createKnownRequests(),
    planOf: (step) => plans.get(keyOf(step)),
    keepPlan(step, plan) {
      plans.set(keyOf(step), plan)
    },
    dropOldPlans() {
      for (const oldest of plans.keys()) {
        if (plans.size <= MOST_PLANS) return
        plans.delete(oldest)
      }
    },
    partOf: createCommonParts(),
    cleanParts: new WeakSet(),
    isClean: (text) => clean.has(nameOf(text)),
    keepClean(text) {
      if (clean.size >= MOST_CLEAN) clean.clear()
      clean.add(nameOf(text))
    },
  }
}

function keyOf({ turn, step }: StepName): string {
  return `${step} ${turn}`
}

function nameOf(text: string): string {
  return text.length <= 64 ? text : refOf(text)
}
