// Converts a row of the event log back into its event.
import type { EventType, Level } from "../../base/event-types.ts"
import { isRecord } from "../../base/is-record.ts"
import type { EventRow } from "../../database/contract/record/event-row.ts"
import type { StoredEvent } from "./event.ts"

/** The event as appended, as far as the row has it. */
export function storedEvent(row: EventRow): StoredEvent {
  // The file may hold other kinds of values than were written.
  const text = (name: keyof EventRow) => (typeof row[name] === "string" ? row[name] : undefined)
  const number = (name: keyof EventRow) => (typeof row[name] === "number" ? row[name] : undefined)
  // These columns were written from these types; names from a newer Incipit are passed through.
  const optional = {
    session: text("session_id"),
    agent: text("agent_id"),
    user: text("user_id"),
    channel: text("channel"),
    trust: text("trust") as StoredEvent["trust"],
    trace: text("trace_id"),
    turn: text("turn_id"),
    step: number("step"),
    span: text("span_id"),
    parent: text("parent_id"),
    durationMs: number("duration_ms"),
    model: text("model"),
    error: text("error"),
    data: typeof row.metadata === "string" ? objectOf(row.metadata) : undefined,
    usage: usageOf(row),
    costUsd: row.fresh === null ? number("cost_usd") : (number("cost_usd") ?? null),
    price: row.fresh === null ? parsed(text("price")) : (parsed(text("price")) ?? null),
  }
  const present = Object.entries(optional).filter(([, value]) => value !== undefined)
  return {
    id: Number(row.id),
    at: Date.parse(String(row.timestamp)),
    type: typeNow(row.event_type),
    level: row.level as Level,
    category: String(row.category),
    ...Object.fromEntries(present),
  }
}

/** 0.1 called diagnostics findings. */
function typeNow(stored: string): EventType {
  return stored === "finding" ? "diagnostic" : (stored as EventType)
}

/** The names under which events of a type are stored. */
export function storedTypes(type: string): readonly string[] {
  return type === "diagnostic" ? [type, "finding"] : [type]
}

function usageOf({ fresh, cache_read, cache_write, tokens_out }: EventRow): StoredEvent["usage"] {
  if (fresh === null) return undefined
  const write = Object.entries(objectOf(String(cache_write ?? "{}")))
  return {
    uncached: Number(fresh),
    read: Number(cache_read),
    write: Object.fromEntries(write.map(([ttl, tokens]) => [ttl, Number(tokens)])),
    output: Number(tokens_out),
  }
}

/** Text that is no longer an object, because of a redaction, is kept as it is. */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  const value = parsed(text)
  return isRecord(value) ? value : { text }
}

/** Returns undefined if it is damaged: one bad row must not affect the others. */
function parsed(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
