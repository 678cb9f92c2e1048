// Rows of the event log, to and from PostgreSQL.
import { EVENT_COLUMNS, type EventRow, type NewEventRow } from "../../contract/record/event-row.ts"
import type { Row } from "../../rows/row.ts"
import type { Statements, Value } from "../postgres.ts"
import { storedWords } from "./words.ts"

/** All but the time, which is stored as a number. */
const NAMES = EVENT_COLUMNS.filter((name) => name !== "timestamp")
const NUMBERS: ReadonlySet<string> = new Set([
  ...["duration_ms", "tokens_in", "tokens_out", "cost_usd", "step", "fresh", "cache_read"],
])

export const COLUMNS = `id, at, ${NAMES.join(", ")}`

const ARRAYS = NAMES.map((name, at) => `$${at + 3}::${NUMBERS.has(name) ? "double precision" : "text"}[]`)
const INSERT = `INSERT INTO record_events (id, at, ${NAMES.join(", ")}, words)
SELECT * FROM unnest($1::bigint[], $2::bigint[], ${ARRAYS.join(", ")}, $${NAMES.length + 3}::text[])`

/** The first gets the id `first`. */
export function insertEvents(
  statements: Statements,
  rows: readonly NewEventRow[],
  first: number,
): Promise<number> {
  const column = (name: (typeof NAMES)[number]) =>
    // A column has one kind of values.
    rows.map((row) => plain(row[name])) as readonly (string | null)[] | readonly (number | null)[]
  const values: readonly Value[] = [
    rows.map((_row, at) => first + at),
    rows.map(({ timestamp }) => Date.parse(timestamp)),
    ...NAMES.map(column),
    rows.map(({ error, metadata }) => storedWords([error, metadata])),
  ]
  return statements.run(INSERT, ...values)
}

/** SQLite has no such number either, and stores null. */
function plain(value: string | number | null): string | number | null {
  return typeof value === "number" && Number.isNaN(value) ? null : value
}

export function eventRow({ at, ...row }: Row): EventRow {
  const { id, ...columns } = row
  // In the order of the columns on SQLite, for exports. Only `insertEvents` writes them.
  return { id: Number(id), timestamp: new Date(Number(at)).toISOString(), ...columns } as unknown as EventRow
}
