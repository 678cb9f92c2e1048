// Writes rows into PostgreSQL and reads them again, for any table.
import type { Postgres, Statements, Value } from "../postgres/postgres.ts"
import type { Row } from "../rows/row.ts"
import { createRowDigest, type TableDigest } from "./row-digest.ts"
import type { ColumnTypes } from "./source-rows.ts"
import { rowsAtOnce, type TableMove } from "./table-move.ts"

export async function columnTypes(statements: Statements, table: string): Promise<ColumnTypes> {
  const rows = await statements.all(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
    WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped`,
    table,
  )
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]))
}

/** All rows in one statement. Numbers that the database would give out itself are those of the source. */
export async function insertRows(
  statements: Statements,
  { table, types }: { readonly table: string; readonly types: ColumnTypes },
  rows: readonly Row[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const ways = names.map((name) => WAYS[types.get(name) ?? ""] ?? plain(types.get(name) ?? "text"))
  const given = ways.map(({ type }, at) => `$${at + 1}::${type}[]`)
  const chosen = ways.map(({ sql }, at) => sql(`c${at}`))
  await statements.run(
    `INSERT INTO ${table} (${names.map(quoted).join(", ")}) OVERRIDING SYSTEM VALUE
    SELECT ${chosen.join(", ")} FROM unnest(${given.join(", ")}) AS given(${names.map((_name, at) => `c${at}`).join(", ")})`,
    ...names.map((name, at) => listOf(rows, name, ways[at] ?? plain("text"))),
  )
}

interface Way {
  /** Of the elements of the list that is sent. */
  readonly type: string
  readonly sql: (element: string) => string
  readonly send: (value: Row[string]) => Row[string]
}

/** What the driver does not send as a list. */
const WAYS: Readonly<Record<string, Way>> = {
  boolean: {
    type: "integer",
    sql: (element) => `${element} <> 0`,
    send: (value) => (value === null ? null : Number(value)),
  },
  bytea: {
    type: "text",
    sql: (element) => `decode(${element}, 'base64')`,
    send: (value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : null),
  },
}

function plain(type: string): Way {
  return { type, sql: (element) => element, send: (value) => value }
}

function listOf(rows: readonly Row[], name: string, { send }: Way): Value {
  // A column has one kind of values, and neither booleans nor bytes are left.
  return rows.map((row) => send(row[name] ?? null)) as readonly (string | null)[] | readonly (number | null)[]
}

function quoted(name: string): string {
  return `"${name}"`
}

/** By reading all rows again, in one transaction. */
export function targetDigest(postgres: Postgres, move: TableMove): Promise<TableDigest> {
  const names = Object.keys(move.columns)
  return postgres.transaction(
    async (statements) => {
      const digest = createRowDigest(names)
      await statements.run(
        `DECLARE moved NO SCROLL CURSOR FOR SELECT ${names.map(quoted).join(", ")} FROM ${move.table}`,
      )
      for (;;) {
        const rows = await statements.all(`FETCH ${rowsAtOnce(move)} FROM moved`)
        for (const row of rows) digest.add(row)
        if (rows.length === 0) return digest.result()
      }
    },
    { isLong: true },
  )
}

export async function countIn(statements: Statements, table: string): Promise<number> {
  const row = await statements.get(`SELECT count(*) AS found FROM ${table}`)
  return Number(row?.found)
}
