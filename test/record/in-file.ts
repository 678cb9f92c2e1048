// Looks into the file of a record, beside whoever has it open.
import type { Database } from "../../src/database/sqlite/database.ts"
import { openDatabase } from "../../src/database/sqlite/open-database.ts"
import { RECORD_MIGRATIONS } from "../../src/database/sqlite/record/schema.ts"

/** Runs statements that no question of the record needs. */
export function inFile<T>({ path }: { readonly path: string }, ask: (database: Database) => T): T {
  const database = openDatabase(path, { migrations: RECORD_MIGRATIONS })
  try {
    return ask(database)
  } finally {
    database.close()
  }
}
