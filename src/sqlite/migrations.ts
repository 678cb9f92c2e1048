// Brings a database to the newest form, step by step. A file from a newer Incipit is refused, not guessed at.
import { IncipitError } from "../core/error.ts"
import type { Database } from "./database.ts"

/** One step: SQL that turns the form before it into its own. Steps are never changed, only added. */
export type Migration = string

export function migrate(database: Database, migrations: readonly Migration[], readOnly: boolean): void {
  const found = versionOf(database)
  if (found > migrations.length)
    throw new IncipitError(
      "newer-database",
      `${database.path} has form ${found}, and this Incipit knows ${migrations.length}`,
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

/** A file that has tables, but never had a form of ours, belongs to somebody else. Nothing of it is changed. */
export function refuseForeign(database: Database): void {
  // One question, since another process may be making the file just now.
  const asked =
    "SELECT user_version AS version, (SELECT count(*) FROM sqlite_schema) AS things FROM pragma_user_version"
  const { version, things } = database.get(asked) ?? {}
  if (version === 0 && Number(things) > 0)
    throw new IncipitError("unusable-database", `${database.path} is a database of something else`)
}

function versionOf(database: Database): number {
  return Number(database.get("PRAGMA user_version")?.user_version ?? 0)
}

/** Statements are set apart by blank lines, since a trigger has semicolons of its own. */
function statementsOf(sql: string): readonly string[] {
  return sql.split(/\n\s*\n/).filter((statement) => statement.trim() !== "")
}
