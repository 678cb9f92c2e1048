// Ends a move whose tables are the same on both sides: from here on, agents may use the target.
import type { Postgres, Statements } from "../postgres/postgres.ts"
import type { Database } from "../sqlite/database.ts"
import type { Source } from "./open-sources.ts"
import { finishMove } from "./progress.ts"
import type { TableDigest } from "./row-digest.ts"
import type { TableMove } from "./table-move.ts"

export async function concludeMove(
  postgres: Postgres,
  sources: readonly Source[],
  digests: ReadonlyMap<string, TableDigest>,
): Promise<void> {
  // The server plans badly as long as it takes the tables for empty.
  const tables = [...digests.keys()].map((table) => `"${postgres.schema}".${table}`)
  await postgres.alone(`ANALYZE ${tables.join(", ")}`)
  await postgres.transaction(
    async (statements) => {
      for (const { part, database } of sources) {
        for (const move of part.tables) await countOn(statements, database, move)
        await part.conclude?.(statements)
      }
      await finishMove(statements, digests)
    },
    { isLong: true },
  )
}

const NUMBERED = `SELECT attname AS name FROM pg_attribute
WHERE attrelid = $1::text::regclass AND attidentity <> ''`

/** New rows get numbers behind those that were copied, and behind those that the file has given to rows since removed. */
async function countOn(statements: Statements, database: Database, move: TableMove): Promise<void> {
  const column = await statements.get(NUMBERED, move.table)
  if (column === undefined) return
  await statements.run(
    `SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, (SELECT max(${column.name}) FROM ${move.table})) + 1, false)`,
    ...[move.table, String(column.name), givenOut(database, move)],
  )
}

function givenOut(database: Database, { table, from = table }: TableMove): number {
  const counts = database.get("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
  if (counts === undefined) return 0
  return Number(database.get("SELECT seq FROM sqlite_sequence WHERE name = ?", from)?.seq ?? 0)
}
