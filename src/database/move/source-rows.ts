// Reads the rows of a SQLite table as rows of the PostgreSQL table that they become.
import { IncipitError } from "../../base/error.ts"
import { withoutNul } from "../postgres/statements.ts"
import type { Row } from "../rows/row.ts"
import type { Database, Row as SqliteRow, Value } from "../sqlite/database.ts"
import { rowsAtOnce, type TableMove } from "./table-move.ts"

/** The type of each column in PostgreSQL. */
export type ColumnTypes = ReadonlyMap<string, string>

export interface SourceTable {
  readonly database: Database
  readonly move: TableMove
  readonly types: ColumnTypes
}

/** What identifies the row that was copied last. */
export type Place = readonly Value[]

export interface Batch {
  readonly rows: readonly Row[]
  readonly last: Place
}

/** Some rows at a time, in order, beginning behind `after`. */
export function* batchesOf(source: SourceTable, after: Place | undefined): Generator<Batch> {
  const { database, move } = source
  const most = rowsAtOnce(move)
  const toRow = rowReader(source)
  let rows: Row[] = []
  let last: Place = []
  for (const found of database.each(selectOf(move, after !== undefined), ...(after ?? []))) {
    rows.push(toRow(found))
    last = move.by.map((_column, at) => found[keyName(at)] ?? null)
    if (rows.length < most) continue
    yield { rows, last }
    rows = []
  }
  if (rows.length > 0) yield { rows, last }
}

export function countOf(database: Database, { table, from = table }: TableMove): number {
  return Number(database.get(`SELECT count(*) AS found FROM ${from}`)?.found)
}

/** The row's own columns have other names. */
function keyName(at: number): string {
  return `key_${at}_`
}

function selectOf({ table, from = table, by, columns }: TableMove, continues: boolean): string {
  const chosen = Object.entries(columns).map(([name, value]) => `${value} AS "${name}"`)
  const keys = by.map((column, at) => `${column} AS ${keyName(at)}`)
  const key = by.join(", ")
  const behind = continues ? `WHERE (${key}) > (${by.map(() => "?").join(", ")})` : ""
  return `SELECT ${[...chosen, ...keys].join(", ")} FROM ${from} ${behind} ORDER BY ${key}`
}

function rowReader({ database, move, types }: SourceTable): (row: SqliteRow) => Row {
  const names = Object.keys(move.columns)
  const translate = move.translated?.(database) ?? ((row: Row) => row)
  return (found) => {
    const row = translate(found)
    return Object.fromEntries(names.map((name) => [name, valueFor(row[name] ?? null, { move, types, name })]))
  }
}

interface Column {
  readonly move: TableMove
  readonly types: ColumnTypes
  readonly name: string
}

/** SQLite stores any kind of value in any column; PostgreSQL does not. */
function valueFor(value: Row[string], { move, types, name }: Column): Row[string] {
  if (value === null) return null
  const type = types.get(name)
  if (type === "text") return withoutNul(typeof value === "string" ? value : String(value))
  if (type === "boolean") return value !== 0 && value !== false
  const fits = type === "bytea" ? value instanceof Uint8Array : isNumber(value, type)
  if (fits) return value
  throw new IncipitError(
    "unusable-database",
    `a row in ${move.table} cannot be moved: its ${name} is not of the type ${type ?? "of any column"}`,
  )
}

function isNumber(value: Row[string], type: string | undefined): boolean {
  return type === "double precision" ? typeof value === "number" : Number.isSafeInteger(value)
}
