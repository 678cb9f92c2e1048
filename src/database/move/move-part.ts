// One of the files that are moved, with what its tables become.
import type { SchemaPart } from "../postgres/migrations.ts"
import type { Postgres, Statements } from "../postgres/postgres.ts"
import type { Row } from "../rows/row.ts"
import type { Database } from "../sqlite/database.ts"
import type { Migration } from "../sqlite/migrations.ts"
import type { TableMove } from "./table-move.ts"

export interface MovePart {
  /** Of the file. */
  readonly migrations: readonly Migration[]
  readonly schema: SchemaPart
  /** Every row comes after those that it refers to. */
  readonly tables: readonly TableMove[]
  /** Completes what the file still lacks, in the file's transaction that is undone at the end. */
  readonly complete?: (source: Database) => void
  /** Makes room for rows before their transaction. */
  readonly makeRoom?: (postgres: Postgres) => (table: string, rows: readonly Row[]) => Promise<void>
  /** What follows from the rows, once all are there. */
  readonly conclude?: (statements: Statements) => Promise<void>
}
