// The store of the agent, for the commands that look into it or change it.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { STORE_MIGRATIONS } from "../agent/schema.ts"
import { IncipitError } from "../core/error.ts"
import { type Database, openDatabase } from "../sqlite/database.ts"
import { isFromDatabase } from "../sqlite/failure.ts"

/** Asks the store of a workspace and changes nothing. Nothing comes back if there is no store. */
export function readStore<T>(root: string, ask: (database: Database) => T): T | undefined {
  return existsSync(fileOf(root)) ? using(root, ask, true) : undefined
}

/** Opens the store of a workspace, makes it if need be, and closes it again, whatever happens. */
export function withStore<T>(root: string, ask: (database: Database) => T): T {
  return using(root, ask, false)
}

function using<T>(root: string, ask: (database: Database) => T, readOnly: boolean): T {
  const path = fileOf(root)
  const database = openDatabase(path, { migrations: STORE_MIGRATIONS, readOnly })
  try {
    return ask(database)
  } catch (error) {
    if (error instanceof IncipitError || !isFromDatabase(error)) throw error
    throw new IncipitError("unusable-database", `can not use ${path}: ${error.message}`, { cause: error })
  } finally {
    database.close()
  }
}

function fileOf(root: string): string {
  return join(root, ".incipit", "agent.db")
}
