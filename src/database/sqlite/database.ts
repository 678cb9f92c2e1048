// The interface of a SQLite file. `openDatabase` in open-database.ts returns one.

export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

export interface Database {
  readonly path: string
  run(sql: string, ...values: readonly Value[]): { readonly changes: number; readonly id: number }
  all(sql: string, ...values: readonly Value[]): readonly Row[]
  get(sql: string, ...values: readonly Value[]): Row | undefined
  /** Yields one row at a time, for results that need not be in memory at once. */
  each(sql: string, ...values: readonly Value[]): Iterable<Row>
  /**
   * Runs `work` completely or not at all. Takes the write lock up front, so that it waits instead of failing midway.
   */
  transaction<T>(work: () => T): T
  /** Bytes of the database file, its log and the log's index. */
  size(): number
  /** Whether the file was deleted or replaced since it was opened, so that writes would be lost. */
  isGone(): boolean
  close(): void
}
