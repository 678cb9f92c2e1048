// Describes how a table of SQLite becomes one of PostgreSQL, as data.
import type { Row } from "../rows/row.ts"
import type { Database } from "../sqlite/database.ts"

export interface TableMove {
  /** In PostgreSQL. */
  readonly table: string
  /** In SQLite, unless it has the same name. It may join others. */
  readonly from?: string
  /** Identifies a row, and gives the order in which rows are copied: what a move goes on after. Columns in SQLite. */
  readonly by: readonly string[]
  /** Columns in PostgreSQL, each with what it is in SQLite. */
  readonly columns: Readonly<Record<string, string>>
  /** What SQLite cannot say in SQL. */
  readonly translated?: (source: Database) => (row: Row) => Row
  /** For tables with long rows. */
  readonly rowsAtOnce?: number
}

/** The columns that have the same name on both sides. */
export function same(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

const ROWS_AT_ONCE = 500

export function rowsAtOnce({ rowsAtOnce: given = ROWS_AT_ONCE }: TableMove): number {
  return given
}
