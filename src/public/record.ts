// `incipit/record`: events, receipts, traces and cost in a SQLite file, and prices. Needs Node.
export {
  COST_KEYS,
  type CostKey,
  type CostOptions,
  type CostReport,
  type CostRow,
  type CostSums,
  costs,
} from "../record/cost.ts"
export {
  EVENT_TYPES,
  type EventType,
  LEVELS,
  type Level,
  type Origin,
  type RecordEvent,
  type StoredEvent,
} from "../record/event.ts"
export { type ExportOptions, exportEvents } from "../record/export.ts"
export { createLog, eventText, type Log, type LogOptions } from "../record/log.ts"
export { followEvents, type LogFilter, queryEvents, type Wait } from "../record/logs.ts"
export { type Otel, type OtelOptions, openOtel } from "../record/otel.ts"
export { PRICE_OVERRIDES, type PriceOverride } from "../record/price-overrides.ts"
export { type PriceOptions, priceFor } from "../record/prices.ts"
export { type ReceiptOptions, saveReceipt } from "../record/receipts.ts"
export {
  type Health,
  type Job,
  openRecord,
  type Recorder,
  type RecorderOptions,
  type Redact,
} from "../record/record.ts"
export { type RecordedCallsOptions, recordedCalls } from "../record/recorded-calls.ts"
export { isRedacted } from "../record/redact/mark.ts"
export { createRedactor, type RedactorOptions } from "../record/redact/redactor.ts"
export { type Damage, type Replay, replay } from "../record/replay.ts"
export { type PruneOptions, type PruneReport, prune } from "../record/retention.ts"
export { type Details, openScope, type Scope, type ScopeOptions } from "../record/scope.ts"
export { type CallFacts, saveUsage } from "../record/section-costs.ts"
export type { Sight } from "../record/seen.ts"
export { parseSince } from "../record/since.ts"
export { type Status, type StatusOptions, statusOf } from "../record/status.ts"
export { type Trace, type TraceNode, traceLines, traceOf } from "../record/trace.ts"
export { type StepName, type TurnDifference, turnDiff } from "../record/turn-diff.ts"
export { startUpkeep, type Upkeep, type UpkeepOptions } from "../record/upkeep.ts"
export { type MissCause, type ProviderReason, type WhyMiss, whyMiss } from "../record/why-miss.ts"
