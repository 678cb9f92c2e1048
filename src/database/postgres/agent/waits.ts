// Suspended turns, in PostgreSQL.
import type { Resolved, Waits } from "../../contract/waits.ts"
import { waitOf } from "../../rows/personal-rows.ts"
import type { Statements } from "../postgres.ts"
import { saveState } from "./sessions.ts"
import { type StoreConnection, wakes } from "./store-connection.ts"

export function waitsIn({ postgres, write, writeAsHolder }: StoreConnection): Waits {
  return {
    suspend: (lease, { turn, on, state }) =>
      writeAsHolder(lease, async (statements, held) => {
        const { session } = lease
        const row = await held
        await Promise.all([
          state && saveState(statements, session, { row, change: state }),
          ...on.map(({ id, kind, request, expiresInMs }, place) =>
            statements.run(
              `INSERT INTO waits (id, session_id, turn_id, place, kind, request, at, expires_at)
              VALUES ($1, $2, $3, $4, $5, $6, now_ms(), now_ms() + $7::bigint)`,
              ...[id, session, turn, place, kind, request, expiresInMs],
            ),
          ),
          statements.run("UPDATE inbox SET state = 'suspended' WHERE turn_id = $1", turn),
          statements.run("UPDATE sessions SET owner = NULL, lease = NULL WHERE id = $1", session),
          statements.get(`SELECT ${wakes("approval", "$1")}, ${wakes("message", "$1")}`, session),
        ])
      }),
    resolve: (wait, answer) => write((statements) => resolve(statements, wait, answer)),
    async expire(agent) {
      // Most looks find nothing, and a look needs no lock.
      if ((await postgres.get(`${EXPIRED} LIMIT 1`, agent)) === undefined) return 0
      return write(async (statements) => {
        const rows = await statements.all(`${EXPIRED} FOR UPDATE OF inbox SKIP LOCKED`, agent)
        const turns = [...new Set(rows.map(({ turn_id: turn }) => String(turn)))]
        await Promise.all([
          statements.run(
            "UPDATE waits SET answer = 'null', answered_at = now_ms() WHERE turn_id = ANY($1::text[]) AND answer IS NULL",
            turns,
          ),
          statements.run(
            `UPDATE inbox SET state = 'waiting', not_before = now_ms() WHERE turn_id = ANY($1::text[])
            RETURNING ${wakes("message", "session_id")}`,
            turns,
          ),
        ])
        return turns.length
      })
    },
    of: async (turn) =>
      (await postgres.all("SELECT * FROM waits WHERE turn_id = $1 ORDER BY at, place", turn)).map(waitOf),
    async open(agent, kind) {
      const rows = await postgres.all(
        `SELECT waits.* FROM waits JOIN sessions ON sessions.id = session_id
        WHERE kind = $2 AND answer IS NULL AND agent = $1 ORDER BY at, place`,
        ...[agent, kind],
      )
      return rows.map(waitOf)
    },
  }
}

const EXPIRED = `SELECT inbox.turn_id FROM inbox JOIN sessions ON sessions.id = inbox.session_id
  JOIN waits ON waits.turn_id = inbox.turn_id
  WHERE inbox.state = 'suspended' AND agent = $1 AND answer IS NULL AND expires_at <= now_ms()`

async function resolve(statements: Statements, wait: string, answer: string): Promise<Resolved> {
  // Locks the message first: of several answers for one turn, the last one has to see the others.
  const asked = await statements.get(
    `SELECT inbox.turn_id FROM inbox JOIN waits ON waits.turn_id = inbox.turn_id WHERE waits.id = $1
    FOR UPDATE OF inbox`,
    wait,
  )
  const row = await statements.get(
    "SELECT answer IS NULL AS is_open, expires_at <= now_ms() AS is_late FROM waits WHERE id = $1",
    wait,
  )
  if (asked === undefined || row?.is_open !== true) return "unknown"
  if (row.is_late === true) return "expired"
  const turn = String(asked.turn_id)
  const answered = "UPDATE waits SET answer = $2, answered_at = now_ms() WHERE id = $1"
  const open = "SELECT 1 FROM waits WHERE turn_id = $1 AND answer IS NULL LIMIT 1"
  const [, left] = await Promise.all([statements.run(answered, wait, answer), statements.get(open, turn)])
  if (left !== undefined) return "answered"
  await statements.run(
    `UPDATE inbox SET state = 'waiting', not_before = now_ms() WHERE turn_id = $1 AND state = 'suspended'
    RETURNING ${wakes("message", "session_id")}, ${wakes("approval", "session_id")}`,
    turn,
  )
  return "resumed"
}
