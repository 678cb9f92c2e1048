// Checks that a database file holds exactly the schema that our migrations create. A file can come from anyone, and
// triggers, views, generated columns and indexes on expressions are code that runs with the next statement. So the
// schema is compared before any query runs.
import { DatabaseSync } from "node:sqlite"
import { IncipitError } from "../../base/error.ts"
import { oncePerObject, oncePerText } from "../../base/memo/once.ts"
import { type Migration, statementsOf } from "./migrations.ts"

export interface OwnSchema {
  readonly migrations: readonly Migration[]
  /** The CREATE statement of a table that the program adds later, by its name; undefined for any other name. */
  readonly also?: (name: string) => string | undefined
}

/** One row of `sqlite_master`: type, name, table and statement. */
type Thing = readonly [type: string, name: string, table: string, sql: string]

/** Throws if the file has anything that its schema version does not, or lacks anything that it does. */
export function checkSchema(driver: DatabaseSync, path: string, schema: OwnSchema): void {
  const { version, things } = found(driver)
  // A new file, or one newer than this program: migrations refuse the latter with their own message.
  if (version > schema.migrations.length || (version === 0 && things.length === 0)) return
  // It has tables, but no schema version of ours.
  if (version === 0) throw new IncipitError("unusable-database", `${path} is a database of another program`)
  const names = things.flatMap(([type, name]) => (type === "table" ? [name] : []))
  const expected = new Map(expectedThings(schema, version, names).map((thing) => [keyOf(thing), thing]))
  for (const thing of things) {
    if (!expected.delete(keyOf(thing))) throw foreign(path, thing)
  }
  for (const [type, name] of expected.values())
    throw new IncipitError("foreign-schema", `${path} lacks the ${type} ${name} that Incipit creates`)
}

function foreign(path: string, [type, name]: Thing): IncipitError {
  return new IncipitError("foreign-schema", `${path} has a ${type} ${name} that Incipit did not create`)
}

function keyOf([type, name, table, sql]: Thing): string {
  return JSON.stringify([type, name, table, sql])
}

/** In one transaction: another process may be creating the file right now. */
function found(driver: DatabaseSync): { readonly version: number; readonly things: readonly Thing[] } {
  driver.exec("BEGIN")
  try {
    const version = Number(driver.prepare("PRAGMA user_version").get()?.user_version ?? 0)
    return { version, things: thingsIn(driver) }
  } finally {
    if (driver.isTransaction) driver.exec("COMMIT")
  }
}

/** Uses the old name: a file can contain a view called `sqlite_schema`. */
function thingsIn(driver: DatabaseSync): readonly Thing[] {
  return driver
    .prepare("SELECT type, name, tbl_name, sql FROM sqlite_master")
    .all()
    .map(({ type, name, tbl_name, sql }) => [String(type), String(name), String(tbl_name), String(sql ?? "")])
}

/** Built by SQLite from the same statements, so that both sides have SQLite's own wording. */
function expectedThings(schema: OwnSchema, version: number, names: readonly string[]): readonly Thing[] {
  const added = names.flatMap((name) => schema.also?.(name) ?? [])
  return thingsBy(schema.migrations)(JSON.stringify({ version, added }))
}

/** Most files of a kind have the same version, so a few results are enough. */
const MOST_VERSIONS = 8

const thingsBy = oncePerObject((migrations: readonly Migration[]) =>
  oncePerText(MOST_VERSIONS, (written) => {
    // Written above.
    const { version, added } = JSON.parse(written) as { version: number; added: readonly string[] }
    return thingsAfter([...migrations.slice(0, version).flatMap(statementsOf), ...added])
  }),
)

function thingsAfter(statements: readonly string[]): readonly Thing[] {
  const driver = new DatabaseSync(":memory:")
  try {
    for (const statement of statements) driver.exec(statement)
    return thingsIn(driver)
  } finally {
    driver.close()
  }
}
