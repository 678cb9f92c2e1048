// Migrates a database to the newest schema, step by step. Refuses a file from a newer Incipit.
import { IncipitError } from "../../base/error.ts"
import type { Database } from "./database.ts"

/** SQL that takes the previous schema version to the next. Migrations are never changed, only added. */
export type Migration = string

export function migrate(database: Database, migrations: readonly Migration[], readOnly: boolean): void {
  const found = versionOf(database)
  if (found > migrations.length)
    throw new IncipitError(
      "newer-database",
      `${database.path} has schema version ${found}; this version of Incipit knows up to ${migrations.length}`,
    )
  if (found === migrations.length || readOnly) return
  database.transaction(() => {
    // Another process may have been faster.
    for (const [at, sql] of migrations.entries()) {
      if (at < versionOf(database)) continue
      for (const statement of statementsOf(sql)) database.run(statement)
      database.run(`PRAGMA user_version = ${at + 1}`)
    }
  })
}

function versionOf(database: Database): number {
  return Number(database.get("PRAGMA user_version")?.user_version ?? 0)
}

/** Blank lines separate statements, because triggers contain semicolons. */
export function statementsOf(sql: string): readonly string[] {
  return sql.split(/\n\s*\n/).filter((statement) => statement.trim() !== "")
}
