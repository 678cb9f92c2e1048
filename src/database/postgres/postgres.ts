// The interface of a PostgreSQL database. `openPostgres` in open-postgres.ts returns one. Names of tables are those of one
// schema, and `now_ms()` is the time in milliseconds by the server's clock.
import type { Row } from "../rows/row.ts"

export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly string[]
  | readonly (number | null)[]
  | readonly (string | null)[]

export interface Statements {
  all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>
  get(sql: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** Returns how many rows were changed. */
  run(sql: string, ...values: readonly Value[]): Promise<number>
}

export interface TransactionOptions {
  /** For upkeep: takes minutes, if need be. */
  readonly isLong?: boolean
}

/**
 * A statement outside of a transaction runs by itself, and again if the connection is lost: use only statements that may
 * run twice.
 */
export interface Postgres extends Statements {
  /** The URL for messages, without its password. */
  readonly shown: string
  readonly schema: string
  /**
   * Runs `work` completely or not at all. It runs again after a deadlock or a lost connection, unless it was committed, so
   * it has no other effects. Statements that need no result of another may be sent at once.
   */
  transaction<T>(work: (statements: Statements) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** A statement that cannot be part of a transaction, such as VACUUM. It has no limit of time, and must name the schema. */
  alone(sql: string): Promise<void>
  /** Whether `listen` ever hears anything. */
  readonly listens: boolean
  /** Calls `heard` for every notification on a channel, and with undefined whenever some may have been missed. */
  listen(channel: string, heard: (payload: string | undefined) => void): () => void
  close(): Promise<void>
}
