// Writes one event as a row, and what a call cost into the sums that questions about cost are answered from. The text
// index is filled once for all rows of a batch: row by row, by a trigger, it takes more time than all the rest.
import { costOf, inputOf } from "../render/price.ts"
import type { Database } from "../sqlite/database.ts"
import { EVENT_TYPES, type RecordEvent } from "./event.ts"

/** Sums are kept by the quarter of an hour, because every time zone is a whole number of quarters from UTC. */
export const QUARTER_MS = 15 * 60_000

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

export function insertEvent(database: Database, event: RecordEvent, error: string, metadata: string): number {
  const { category, level } = EVENT_TYPES[event.type]
  const { usage, price } = event
  const isMeasured = event.type === "api_call" && usage !== undefined
  const costUsd = isMeasured ? callCost(event) : event.costUsd
  const { id } = database.run(
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
    usage?.fresh ?? null,
    usage?.read ?? null,
    usage === undefined ? null : JSON.stringify(usage.write),
    price === undefined || price === null ? null : JSON.stringify(price),
  )
  if (isMeasured) addCost(database, event)
  return id
}

/** What a call cost, for all sums alike: what it says itself, or else what its price makes of its tokens. */
export function callCost({ usage, price = null, costUsd }: CallCosts): number | null {
  return costUsd === undefined && usage !== undefined ? costOf(usage, price) : (costUsd ?? null)
}

type CallCosts = Pick<RecordEvent, "usage" | "price" | "costUsd">

export function lastEventId(database: Database): number {
  return Number(database.get("SELECT max(id) AS id FROM events")?.id ?? 0)
}

/** The columns of the text index: what is searched, and what it is most often narrowed by. */
export const TEXT_COLUMNS = "error, metadata, level, session_id, user_id, event_type"

const INDEX_TEXTS = `INSERT INTO events_text (rowid, ${TEXT_COLUMNS}) SELECT id, ${TEXT_COLUMNS} FROM events
WHERE id > ? AND (error IS NOT NULL OR metadata IS NOT NULL)`

/** Makes the texts of all events after that one searchable; in the transaction that wrote them. */
export function indexTexts(database: Database, after: number): void {
  database.run(INDEX_TEXTS, after)
}

const ADDED = `ON CONFLICT DO UPDATE SET calls = calls + 1, unpriced = unpriced + excluded.unpriced, fresh = fresh + excluded.fresh,
  cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
  output = output + excluded.output, cost_usd = cost_usd + excluded.cost_usd`
const SUMS = "calls, unpriced, fresh, cache_read, cache_write, output, cost_usd"
const ADD_COST = `INSERT INTO costs (quarter, session_id, user_id, model, turns, ${SUMS})
VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?) ${ADDED}, turns = turns + excluded.turns`
const ADD_TURN = `INSERT INTO turn_costs (quarter, turn_id, ${SUMS}) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?) ${ADDED}`

function addCost(database: Database, event: RecordEvent): void {
  const { at, session, user, model, turn, usage } = event
  if (usage === undefined) return
  const { fresh, read, output } = usage
  const costUsd = callCost(event)
  const quarter = Math.floor(at / QUARTER_MS)
  const sums = [costUsd === null ? 1 : 0, fresh, read, inputOf(usage) - fresh - read, output, costUsd ?? 0]
  const isFirst =
    turn !== undefined && database.get("SELECT 1 FROM turn_costs WHERE turn_id = ?", turn) === undefined
  database.run(ADD_COST, quarter, session ?? "", user ?? "", model ?? "", isFirst ? 1 : 0, ...sums)
  // A call outside any turn counts too, under no name.
  database.run(ADD_TURN, quarter, turn ?? "", ...sums)
}
