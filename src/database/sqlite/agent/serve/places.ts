// Places in conversations by response id and by digest, in SQLite.
import type { Places } from "../../../contract/serve/places.ts"
import { keyText } from "../../../contract/sessions.ts"
import { placeOf } from "../../../rows/serve-rows.ts"
import type { StoreFile } from "../store-file.ts"

/**
 * An earlier message that retention removed had later ones, so a turn without a message is not the last. Messages that
 * joined a turn belong to it.
 */
const IS_LAST = `NOT EXISTS (SELECT 1 FROM inbox
  WHERE inbox.session_id = places.session_id AND inbox.state <> 'joined' AND inbox.seq >
  coalesce((SELECT seq FROM inbox AS own WHERE own.turn_id = places.turn_id), 0))`

const PLACES = `SELECT places.*, ${IS_LAST} AS is_last FROM places JOIN sessions ON sessions.id = session_id`

export function placesIn({ database, read, write }: StoreFile): Places {
  return {
    remember: ({ session, seq, turn, response, digest }) =>
      write(() => {
        database.run(
          `INSERT INTO places (session_id, seq, turn_id, response_id, digest) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING`,
          ...[session, seq, turn, response ?? null, digest ?? null],
        )
      }),
    byResponse: (key, response) =>
      read(() => {
        const row = database.get(`${PLACES} WHERE response_id = ? AND key = ?`, response, keyText(key))
        return row && placeOf(row)
      }),
    byDigest: (key, digests) =>
      read(() => {
        for (const digest of digests) {
          const row = database.get(
            `${PLACES} WHERE digest = ? AND key = ? ORDER BY is_last DESC, places.number DESC LIMIT 1`,
            ...[digest, keyText(key)],
          )
          if (row !== undefined) return { ...placeOf(row), digest }
        }
        return undefined
      }),
  }
}
