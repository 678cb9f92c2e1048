// What a database file may hold besides rows: exactly what our migrations make. A file can come from anybody, and
// triggers, views, generated columns and indexes on expressions are programs that run with the next statement. So the
// list of what is in it is compared before anything is asked of it.
import { DatabaseSync } from "node:sqlite"
import { IncipitError } from "../../base/error.ts"
import { type Migration, statementsOf } from "./migrations.ts"

export interface OwnSchema {
  readonly migrations: readonly Migration[]
  /** The statement that makes a table which the program adds later, by its name; undefined for any other name. */
  readonly also?: (name: string) => string | undefined
}

/** One line of `sqlite_master`: kind, name, table and statement. */
type Thing = readonly [type: string, name: string, table: string, sql: string]

/** Throws if anything is in the file that a file of its version does not have, or the other way round. */
export function checkSchema(driver: DatabaseSync, path: string, schema: OwnSchema): void {
  const { version, things } = found(driver)
  // A new file. What is newer than this program is refused by the migrations, in their own words.
  if (version > schema.migrations.length || (version === 0 && things.length === 0)) return
  // Tables, but never a version of ours.
  if (version === 0) throw new IncipitError("unusable-database", `${path} is a database of something else`)
  const names = things.flatMap(([type, name]) => (type === "table" ? [name] : []))
  const expected = new Map(expectedThings(schema, version, names).map((thing) => [keyOf(thing), thing]))
  for (const thing of things) {
    if (!expected.delete(keyOf(thing))) throw foreign(path, thing)
  }
  for (const [type, name] of expected.values())
    throw new IncipitError("foreign-schema", `${path} lacks the ${type} ${name} that Incipit makes`)
}

function foreign(path: string, [type, name]: Thing): IncipitError {
  return new IncipitError("foreign-schema", `${path} has a ${type} ${name} that Incipit did not make`)
}

function keyOf([type, name, table, sql]: Thing): string {
  return JSON.stringify([type, name, table, sql])
}

/** Of one moment: another process may be making the file just now. */
function found(driver: DatabaseSync): { readonly version: number; readonly things: readonly Thing[] } {
  driver.exec("BEGIN")
  try {
    const version = Number(driver.prepare("PRAGMA user_version").get()?.user_version ?? 0)
    return { version, things: thingsIn(driver) }
  } finally {
    if (driver.isTransaction) driver.exec("COMMIT")
  }
}

/** By its old name: a file can bring a view that is called `sqlite_schema`. */
function thingsIn(driver: DatabaseSync): readonly Thing[] {
  return driver
    .prepare("SELECT type, name, tbl_name, sql FROM sqlite_master")
    .all()
    .map(({ type, name, tbl_name, sql }) => [String(type), String(name), String(tbl_name), String(sql ?? "")])
}

/** What the last file of the kind was to have: most of them are of the same version. */
const KNOWN = new WeakMap<readonly Migration[], { readonly key: string; readonly things: readonly Thing[] }>()

/** Made by SQLite itself, from the same statements, so that its own wording is compared with its own wording. */
function expectedThings(schema: OwnSchema, version: number, names: readonly string[]): readonly Thing[] {
  const added = names.flatMap((name) => schema.also?.(name) ?? [])
  const key = `${version} ${added.join("\n")}`
  const before = KNOWN.get(schema.migrations)
  if (before?.key === key) return before.things
  const driver = new DatabaseSync(":memory:")
  try {
    const steps = schema.migrations.slice(0, version).flatMap(statementsOf)
    for (const statement of [...steps, ...added]) driver.exec(statement)
    const things = thingsIn(driver)
    KNOWN.set(schema.migrations, { key, things })
    return things
  } finally {
    driver.close()
  }
}
