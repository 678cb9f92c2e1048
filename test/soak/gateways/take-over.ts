// How long the messages of a gateway that was killed wait for another one.
import { expect } from "vitest"
import { schemaOf, type TestServer } from "../../database/postgres/postgres-server.ts"

export interface Killed {
  readonly database: string
  /** A pattern of its owners in the store. */
  readonly owner: string
}

/** Turns that it has begun, or received and not begun. */
export async function turnsOf(server: TestServer, { database, owner }: Killed): Promise<readonly string[]> {
  const rows = await server.sql(`${openIn(database)} AND (taken_by ~ $1 OR owner ~ $1)`, owner)
  return rows.map(({ turn_id: turn }) => String(turn))
}

/** Longer than it can take, however busy the machine is. */
const UNTIL = { timeout: 300_000, interval: 50 }

/** Resolves when each of the turns is over, or another owner works on it. */
export async function untilTakenOver(
  server: TestServer,
  { database, owner }: Killed,
  turns: readonly string[],
): Promise<void> {
  const left = () =>
    server.sql(
      `${openIn(database)} AND turn_id = ANY($2::text[])
      AND (inbox.state = 'waiting' OR owner IS NULL OR owner ~ $1)`,
      ...[owner, turns],
    )
  await expect.poll(left, UNTIL).toEqual([])
}

function openIn(database: string): string {
  const schema = schemaOf(database)
  return `SELECT turn_id, message_id, inbox.state, taken_by, owner FROM ${schema}.inbox
    JOIN ${schema}.sessions ON session_id = sessions.id WHERE inbox.state IN ('waiting', 'working')`
}
