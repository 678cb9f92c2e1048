// The sums that questions about cost are answered from: what calls cost by session, person and model, and by turn. They
// outlive the events, and are added to once for all calls of a batch.
import type { Database } from "../../database/sqlite/database.ts"

/** Sums are kept by the quarter of an hour, because every time zone is a whole number of quarters from UTC. */
export const QUARTER_MS = 15 * 60_000

/** Events that are calls of which the tokens are known, as sums of one. What they are selected from comes after it. */
export const CALLS = `SELECT unixepoch(timestamp) / ${QUARTER_MS / 1000} AS quarter,
  coalesce(session_id, '') AS session_id, coalesce(user_id, '') AS user_id, coalesce(model, '') AS model,
  coalesce(turn_id, '') AS turn_id, 1 AS calls, cost_usd IS NULL AS unpriced, fresh, cache_read,
  tokens_in - fresh - cache_read AS cache_write, tokens_out AS output, coalesce(cost_usd, 0) AS cost_usd
  FROM`
export const IS_CALL = "event_type = 'api_call' AND fresh IS NOT NULL"

const COLUMNS = ["calls", "unpriced", "fresh", "cache_read", "cache_write", "output", "cost_usd"]
const SUMS = COLUMNS.map((name) => `sum(${name})`).join(", ")
const ADDED = `ON CONFLICT DO UPDATE SET ${COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`
/** By the id alone: by the index of types, all calls that there ever were would be looked at. */
const NEW_CALLS = `(${CALLS} events NOT INDEXED WHERE id > ? AND ${IS_CALL})`

/** Every turn counts once, whichever of its calls it is counted with; calls outside any turn count too, but as no turn. */
const ADD_COSTS = `INSERT INTO costs (quarter, session_id, user_id, model, turns, ${COLUMNS.join(", ")})
SELECT quarter, session_id, user_id, model, sum(is_first), ${SUMS} FROM (
  SELECT *, turn_id <> '' AND row_number() OVER (PARTITION BY turn_id) = 1
    AND turn_id NOT IN (SELECT turn_id FROM turn_costs) AS is_first FROM ${NEW_CALLS}
) WHERE true GROUP BY quarter, session_id, user_id, model ${ADDED}, turns = turns + excluded.turns`

const ADD_TURNS = `INSERT INTO turn_costs (quarter, turn_id, ${COLUMNS.join(", ")})
SELECT quarter, turn_id, ${SUMS} FROM ${NEW_CALLS} WHERE true GROUP BY quarter, turn_id ${ADDED}`

/** Adds the calls among all events after that one; in the transaction that wrote them. */
export function addCalls(database: Database, after: number): void {
  database.run(ADD_COSTS, after)
  // Second: whether a turn has been counted is seen from its sums.
  database.run(ADD_TURNS, after)
}
