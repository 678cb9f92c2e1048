// Suspended turns, in SQLite.
import type { Waits } from "../../contract/waits.ts"
import { waitOf } from "../../rows/personal-rows.ts"
import { saveState } from "./sessions.ts"
import type { StoreFile } from "./store-file.ts"

export function waitsIn({ database, now, read, write, writeAsHolder }: StoreFile): Waits {
  return {
    suspend: (lease, { turn, on, state }) =>
      writeAsHolder(lease, () => {
        const { session } = lease
        const at = now()
        if (state !== undefined) saveState(database, session, state)
        for (const [place, { id, kind, request, expiresInMs }] of on.entries())
          database.run(
            `INSERT INTO waits (id, session_id, turn_id, place, kind, request, at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            ...[id, session, turn, place, kind, request, at, at + expiresInMs],
          )
        database.run("UPDATE inbox SET state = 'suspended' WHERE turn_id = ?", turn)
        database.run("UPDATE sessions SET owner = NULL, lease = NULL WHERE id = ?", session)
      }),
    resolve: (wait, answer) =>
      write(() => {
        const row = database.get("SELECT turn_id, expires_at, answer FROM waits WHERE id = ?", wait)
        if (row === undefined || row.answer !== null) return "unknown"
        if (Number(row.expires_at) <= now()) return "expired"
        const { turn_id: turn = null } = row
        database.run("UPDATE waits SET answer = ?, answered_at = ? WHERE id = ?", answer, now(), wait)
        if (database.get("SELECT 1 FROM waits WHERE turn_id = ? AND answer IS NULL", turn) !== undefined)
          return "answered"
        database.run(
          "UPDATE inbox SET state = 'waiting', not_before = ? WHERE turn_id = ? AND state = 'suspended'",
          ...[now(), turn],
        )
        return "resumed"
      }),
    expire: async (agent) => {
      // Most looks find nothing, and a look needs no write.
      const some = await read(() => database.get(`SELECT 1 FROM (${EXPIRED}) LIMIT 1`, agent, now()))
      if (some === undefined) return 0
      return write(() => {
        const turns = database.all(EXPIRED, agent, now()).map(({ turn_id: turn = null }) => turn)
        for (const turn of turns) {
          database.run(
            "UPDATE waits SET answer = 'null', answered_at = ? WHERE turn_id = ? AND answer IS NULL",
            ...[now(), turn],
          )
          database.run("UPDATE inbox SET state = 'waiting', not_before = ? WHERE turn_id = ?", now(), turn)
        }
        return turns.length
      })
    },
    of: (turn) =>
      read(() => database.all("SELECT * FROM waits WHERE turn_id = ? ORDER BY at, place", turn).map(waitOf)),
    open: (agent, kind) =>
      read(() =>
        database
          .all(
            `SELECT waits.* FROM waits JOIN sessions ON sessions.id = session_id
            WHERE kind = ? AND answer IS NULL AND +agent = ? ORDER BY at, place`,
            ...[kind, agent],
          )
          .map(waitOf),
      ),
  }
}

const EXPIRED = `SELECT DISTINCT inbox.turn_id FROM inbox JOIN sessions ON sessions.id = inbox.session_id
  JOIN waits ON waits.turn_id = inbox.turn_id
  WHERE inbox.state = 'suspended' AND +agent = ? AND answer IS NULL AND expires_at <= ?`
