// Places in conversations by response id and by digest, in PostgreSQL.
import type { Places } from "../../../contract/serve/places.ts"
import { keyText } from "../../../contract/sessions.ts"
import { placeOf } from "../../../rows/serve-rows.ts"
import type { StoreConnection } from "../store-connection.ts"

/**
 * An earlier message that retention removed had later ones, so a turn without a message is not the last. Messages that
 * joined a turn belong to it.
 */
const IS_LAST = `NOT EXISTS (SELECT 1 FROM inbox
  WHERE inbox.session_id = places.session_id AND inbox.state <> 'joined' AND inbox.seq >
  coalesce((SELECT seq FROM inbox AS own WHERE own.turn_id = places.turn_id), 0))`

const PLACES = `SELECT places.*, ${IS_LAST} AS is_last FROM places JOIN sessions ON sessions.id = session_id`

export function placesIn({ postgres }: StoreConnection): Places {
  return {
    async remember({ session, seq, turn, response, digest }) {
      await postgres.run(
        `INSERT INTO places (session_id, seq, turn_id, response_id, digest) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT DO NOTHING`,
        ...[session, seq, turn, response ?? null, digest ?? null],
      )
    },
    async byResponse(key, response) {
      const row = await postgres.get(`${PLACES} WHERE response_id = $1 AND key = $2`, response, keyText(key))
      return row && placeOf(row)
    },
    async byDigest(key, digests) {
      const row = await postgres.get(
        `SELECT * FROM (${PLACES} WHERE digest = ANY($1::text[]) AND key = $2) AS found
        ORDER BY array_position($1::text[], digest), is_last DESC, number DESC LIMIT 1`,
        ...[digests, keyText(key)],
      )
      return row && { ...placeOf(row), digest: String(row.digest) }
    },
  }
}
