// `incipit/record`: events, receipts, traces and cost in a SQLite file, and prices. Needs Node.
export type { CostKey } from "../base/cost-keys.ts"
export type { EventType, Level } from "../base/event-types.ts"
export type { Sight } from "../database/contract/record/event-log.ts"
export type { RecordStore } from "../database/contract/record/record-store.ts"
export type { PruneOptions, PruneReport } from "../database/contract/record/upkeep.ts"
export {
  type CostOptions,
  type CostReport,
  type CostRow,
  type CostSums,
  costs,
} from "../record/ask/cost.ts"
export { createLog, type Log, type LogOptions } from "../record/ask/log.ts"
export { followEvents, type LogFilter, queryEvents, type Wait } from "../record/ask/logs.ts"
export { type RecordedCallsOptions, recordedCalls } from "../record/ask/recorded-calls.ts"
export { type Damage, type Replay, replay } from "../record/ask/replay.ts"
export { type CallFacts, saveUsage } from "../record/ask/section-costs.ts"
export { type Status, type StatusOptions, statusOf } from "../record/ask/status.ts"
export { type Trace, type TraceNode, traceLines, traceOf } from "../record/ask/trace.ts"
export { type StepName, type TurnDifference, turnDiff } from "../record/ask/turn-diff.ts"
export { type MissCause, type ProviderReason, type WhyMiss, whyMiss } from "../record/ask/why-miss.ts"
export { type ExportOptions, exportEvents } from "../record/keep/export.ts"
export { prune, startUpkeep, type Upkeep, type UpkeepOptions } from "../record/keep/upkeep.ts"
export { type Otel, type OtelOptions, openOtel } from "../record/otel/otel.ts"
export type { PriceOverride } from "../record/prices/price-overrides.ts"
export { type PriceOptions, priceFor } from "../record/prices/prices.ts"
export { createRedactor, type RedactorOptions } from "../record/redact/redactor.ts"
export type { Origin, RecordEvent, StoredEvent } from "../record/write/event.ts"
export { type ReceiptOptions, saveReceipt } from "../record/write/receipts.ts"
export {
  type Health,
  openRecord,
  type Recorder,
  type RecorderOptions,
  type Redact,
} from "../record/write/record.ts"
export type { Job } from "../record/write/record-jobs.ts"
export { type Details, openScope, type Scope, type ScopeOptions } from "../record/write/scope.ts"
