// The file of a record: opened when it is needed, and again if it was deleted or replaced in the meantime.
import type { Database } from "../database.ts"
import { retryWhileBusy } from "../failure.ts"
import { openDatabase } from "../open-database.ts"
import { RECORD_MIGRATIONS } from "./schema.ts"

export interface RecordFile {
  readonly path: string
  opened(): Database
  /** Runs a query. While another process has the file locked, it is tried again. */
  ask<T>(work: (database: Database) => T): Promise<T>
  /** Closes the file; the next query opens it again. */
  letGo(): void
}

export interface RecordFileOptions {
  readonly readOnly?: boolean
  /** Applied to every text on its way into the file. */
  readonly text?: ((text: string) => string) | undefined
}

/** A statement blocks the whole process while it waits, so it waits briefly and is retried. */
const WAIT_MS = 5

export function recordFile(path: string, { readOnly = false, text }: RecordFileOptions = {}): RecordFile {
  let database: Database | undefined
  const letGo = () => {
    try {
      database?.close()
    } catch {
      // The handle was no longer usable; there is nothing left to save in it.
    }
    database = undefined
  }
  const opened = () => {
    if (database?.isGone()) letGo()
    database ??= openDatabase(path, {
      ...{ migrations: RECORD_MIGRATIONS, readOnly, wait: WAIT_MS },
      ...(text && { text }),
    })
    return database
  }
  return { path, opened, letGo, ask: (work) => retryWhileBusy(() => work(opened())) }
}
