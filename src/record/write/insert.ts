// Writes one event as a row. The text index is filled once per batch: a trigger for each row takes more time than
// everything else.
import { EVENT_TYPES } from "../../base/event-types.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { costOf, inputOf } from "../../render/cache/price.ts"
import type { RecordEvent } from "./event.ts"

const COLUMNS = [
  "timestamp",
  "level",
  "category",
  "session_id",
  "agent_id",
  "user_id",
  "channel",
  "event_type",
  "duration_ms",
  "tokens_in",
  "tokens_out",
  "cost_usd",
  "error",
  "metadata",
  "trust",
  "trace_id",
  "span_id",
  "parent_id",
  "turn_id",
  "step",
  "model",
  "fresh",
  "cache_read",
  "cache_write",
  "price",
]
const INSERT = `INSERT INTO events (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`

export function insertEvent(database: Database, event: RecordEvent, error: string, metadata: string): void {
  const { category, level } = EVENT_TYPES[event.type]
  const { usage, price } = event
  const isMeasured = event.type === "api_call" && usage !== undefined
  const costUsd = isMeasured ? callCost(event) : event.costUsd
  database.run(
    INSERT,
    new Date(event.at).toISOString(),
    event.level ?? level,
    category,
    event.session ?? null,
    event.agent ?? null,
    event.user ?? null,
    event.channel ?? null,
    event.type,
    event.durationMs === undefined ? null : Math.round(event.durationMs),
    usage === undefined ? null : inputOf(usage),
    usage?.output ?? null,
    costUsd ?? null,
    error === "" ? null : error,
    metadata === "" ? null : metadata,
    event.trust ?? null,
    event.trace ?? null,
    event.span ?? null,
    event.parent ?? null,
    event.turn ?? null,
    event.step ?? null,
    event.model ?? null,
    usage?.uncached ?? null,
    usage?.read ?? null,
    usage === undefined ? null : JSON.stringify(usage.write),
    price === undefined || price === null ? null : JSON.stringify(price),
  )
}

/** The cost of a call, for all sums: as reported, or else its tokens at its price. */
export function callCost({ usage, price = null, costUsd }: CallCosts): number | null {
  return costUsd === undefined && usage !== undefined ? costOf(usage, price) : (costUsd ?? null)
}

type CallCosts = Pick<RecordEvent, "usage" | "price" | "costUsd">

export function lastEventId(database: Database): number {
  return Number(database.get("SELECT max(id) AS id FROM events")?.id ?? 0)
}

/** The columns of the text index: what is searched, and the most common filters. */
export const TEXT_COLUMNS = "error, metadata, level, session_id, user_id, event_type"

const INDEX_TEXTS = `INSERT INTO events_text (rowid, ${TEXT_COLUMNS}) SELECT id, ${TEXT_COLUMNS} FROM events
WHERE id > ? AND (error IS NOT NULL OR metadata IS NOT NULL)`

/** Makes the texts of all events after the given one searchable. Call it in the transaction that wrote them. */
export function indexTexts(database: Database, after: number): void {
  database.run(INDEX_TEXTS, after)
}
