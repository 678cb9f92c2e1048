// An event as the row that is stored of it.
import { EVENT_TYPES } from "../../base/event-types.ts"
import type { NewEventRow } from "../../database/contract/record/event-row.ts"
import { costOf, inputOf } from "../../render/cache/price.ts"
import type { RecordEvent } from "./event.ts"

/** Throws if its time is not a date. `error` and `metadata` are redacted; empty if there is none. */
export function eventRow(event: RecordEvent, error: string, metadata: string): NewEventRow {
  const { category, level } = EVENT_TYPES[event.type]
  const { usage, price } = event
  const isMeasured = event.type === "api_call" && usage !== undefined
  const costUsd = isMeasured ? callCost(event) : event.costUsd
  return {
    timestamp: new Date(event.at).toISOString(),
    level: event.level ?? level,
    category,
    session_id: event.session ?? null,
    agent_id: event.agent ?? null,
    user_id: event.user ?? null,
    channel: event.channel ?? null,
    event_type: event.type,
    duration_ms: event.durationMs === undefined ? null : Math.round(event.durationMs),
    tokens_in: usage === undefined ? null : inputOf(usage),
    tokens_out: usage?.output ?? null,
    cost_usd: costUsd ?? null,
    error: error === "" ? null : error,
    metadata: metadata === "" ? null : metadata,
    trust: event.trust ?? null,
    trace_id: event.trace ?? null,
    span_id: event.span ?? null,
    parent_id: event.parent ?? null,
    turn_id: event.turn ?? null,
    step: event.step ?? null,
    model: event.model ?? null,
    fresh: usage?.uncached ?? null,
    cache_read: usage?.read ?? null,
    cache_write: usage === undefined ? null : JSON.stringify(usage.write),
    price: price === undefined || price === null ? null : JSON.stringify(price),
  }
}

/** The cost of a call, for all sums: as reported, or else its tokens at its price. */
export function callCost({ usage, price = null, costUsd }: CallCosts): number | null {
  return costUsd === undefined && usage !== undefined ? costOf(usage, price) : (costUsd ?? null)
}

type CallCosts = Pick<RecordEvent, "usage" | "price" | "costUsd">
