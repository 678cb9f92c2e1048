// The sums behind cost queries: what calls cost by session, person and model, and by turn. They outlive the events, and
// are updated once for all calls of a batch.
import { QUARTER_MS } from "../../contract/record/costs.ts"
import type { Database } from "../database.ts"

/** Selects the calls with known tokens, each as a sum of one. The FROM clause follows. */
export const CALLS = `SELECT unixepoch(timestamp) / ${QUARTER_MS / 1000} AS quarter,
  coalesce(session_id, '') AS session_id, coalesce(user_id, '') AS user_id, coalesce(model, '') AS model,
  coalesce(turn_id, '') AS turn_id, 1 AS calls, cost_usd IS NULL AS unpriced, fresh, cache_read,
  tokens_in - fresh - cache_read AS cache_write, tokens_out AS output, coalesce(cost_usd, 0) AS cost_usd
  FROM`
export const IS_CALL = "event_type = 'api_call' AND fresh IS NOT NULL"

const COLUMNS = ["calls", "unpriced", "fresh", "cache_read", "cache_write", "output", "cost_usd"]
const SUMS = COLUMNS.map((name) => `sum(${name})`).join(", ")
const ADDED = `ON CONFLICT DO UPDATE SET ${COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`
/** By id alone: the index of types would scan every call ever made. */
const NEW_CALLS = `(${CALLS} events NOT INDEXED WHERE id > ? AND ${IS_CALL})`

/** Each turn counts once, with whichever call it is counted. Calls outside any turn count, too, but not as a turn. */
const ADD_COSTS = `INSERT INTO costs (quarter, session_id, user_id, model, turns, ${COLUMNS.join(", ")})
SELECT quarter, session_id, user_id, model, sum(is_first), ${SUMS} FROM (
  SELECT *, turn_id <> '' AND row_number() OVER (PARTITION BY turn_id) = 1
    AND turn_id NOT IN (SELECT turn_id FROM turn_costs) AS is_first FROM ${NEW_CALLS}
) WHERE true GROUP BY quarter, session_id, user_id, model ${ADDED}, turns = turns + excluded.turns`

const ADD_TURNS = `INSERT INTO turn_costs (quarter, turn_id, ${COLUMNS.join(", ")})
SELECT quarter, turn_id, ${SUMS} FROM ${NEW_CALLS} WHERE true GROUP BY quarter, turn_id ${ADDED}`

/** Adds the calls among all events after the given one. Call it in the transaction that wrote them. */
export function addCalls(database: Database, after: number): void {
  database.run(ADD_COSTS, after)
  // Must run second: a turn's sums show whether it has been counted.
  database.run(ADD_TURNS, after)
}
