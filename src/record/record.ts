// The record: events and receipts in a SQLite file. Appending never waits and never throws; what waits is redacted and
// written together. When `flush` has resolved, what was appended before is in the file, or counted as dropped.
import type { Database } from "../sqlite/database.ts"
import { openDatabase } from "../sqlite/database.ts"
import type { RecordEvent } from "./event.ts"
import { insertEvent } from "./insert.ts"
import { RECORD_MIGRATIONS } from "./schema.ts"

/** Takes secrets out of texts, in order. */
export type Redact = (texts: readonly string[]) => Promise<readonly string[]>

/** Something to be written: its texts pass through the redactor first. */
export interface Job {
  readonly texts: readonly string[]
  readonly write: (database: Database, texts: readonly string[]) => void
}

/** How the record itself is doing. */
export interface Health {
  readonly waiting: number
  /** Since the record was opened: what could not be written. */
  readonly dropped: number
  readonly lastError: string | undefined
}

export interface Recorder {
  readonly path: string
  append(event: RecordEvent): void
  enqueue(job: Job): void
  flush(): Promise<void>
  /** For questions; throws if the file can not be read. */
  read<T>(ask: (database: Database) => T): T
  health(): Health
  close(): Promise<void>
}

export interface RecorderOptions {
  readonly redact?: Redact
  /** How many jobs may wait while the file can not be written; older ones go first. */
  readonly most?: number
}

const MOST_WAITING = 50_000

export function openRecord(path: string, options: RecorderOptions = {}): Recorder {
  const { redact = async (texts) => texts, most = MOST_WAITING } = options
  let database: Database | undefined
  let waiting: Job[] = []
  let dropped = 0
  let lastError: string | undefined
  let working: Promise<void> = Promise.resolve()
  const opened = () => {
    database ??= openDatabase(path, { migrations: RECORD_MIGRATIONS })
    return database
  }
  const enqueue = (job: Job) => {
    waiting.push(job)
    if (waiting.length <= most) return
    waiting.shift()
    dropped += 1
  }
  const writeAll = async () => {
    const jobs = waiting
    if (jobs.length === 0) return
    waiting = []
    try {
      const texts = await redact(jobs.flatMap((job) => job.texts))
      opened().transaction(() => writeJobs(jobs, texts, opened()))
    } catch (error) {
      // The turn goes on: the record says that it lost something, and tries a fresh file handle next time.
      dropped += jobs.length
      lastError = error instanceof Error ? error.message : String(error)
      database = closeQuietly(database)
    }
  }
  return {
    path,
    append: (event) => enqueue(eventJob(event)),
    enqueue,
    flush() {
      working = working.then(writeAll)
      return working
    },
    read: (ask) => ask(opened()),
    health: () => ({ waiting: waiting.length, dropped, lastError }),
    async close() {
      await this.flush()
      database = closeQuietly(database)
    },
  }
}

function eventJob(event: RecordEvent): Job {
  const { error, data } = event
  return {
    texts: [error ?? "", data === undefined ? "" : JSON.stringify(data)],
    write: (database, [shownError = "", metadata = ""]) => insertEvent(database, event, shownError, metadata),
  }
}

function writeJobs(jobs: readonly Job[], texts: readonly string[], database: Database): void {
  let next = 0
  for (const job of jobs) {
    job.write(database, texts.slice(next, next + job.texts.length))
    next += job.texts.length
  }
}

function closeQuietly(database: Database | undefined): undefined {
  try {
    database?.close()
  } catch {
    // It could not be used any more; there is nothing left to save in it.
  }
  return undefined
}
