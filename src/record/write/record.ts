// The record: events and receipts in a SQLite file. Appending never blocks and never throws. The queue is redacted and
// written together: on request, when it is long, a moment after the first job, and at exit. When `flush` resolves,
// everything appended before is in the file and survives a crash of the process, or is counted as dropped.
import process from "node:process"
import { setImmediate as breathe } from "node:timers/promises"
import { moveAside } from "../../database/sqlite/damaged.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { isAboutData, isDamaged, patiently, stubbornly } from "../../database/sqlite/failure.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import { addCalls } from "../ask/call-sums.ts"
import type { RecordEvent } from "./event.ts"
import { addToFact, setFact } from "./facts.ts"
import { indexTexts, insertEvent, lastEventId } from "./insert.ts"
import { jsonTexts } from "./json-texts.ts"
import { RECORD_MIGRATIONS } from "./schema.ts"

/** Removes secrets from texts; keeps their order. */
export type Redact = (texts: readonly string[]) => Promise<readonly string[]>

/** Something to write: its texts pass through the redactor first. */
export interface Job {
  readonly texts: readonly string[]
  readonly write: (database: Database, texts: readonly string[]) => void
  /** It is still useful with `UNCHECKED` for each text, if the process ends before they are redacted. */
  readonly withoutTexts?: boolean
}

/** The state of the record itself. */
export interface Health {
  readonly waiting: number
  /** Jobs that could not be written since the record was opened. The fact `dropped` has the sum of all processes. */
  readonly dropped: number
  readonly lastError: string | undefined
  /** Where a damaged file was moved to, if there was one. */
  readonly damaged: string | undefined
}

export interface Recorder {
  readonly path: string
  append(event: RecordEvent): void
  enqueue(job: Job): void
  flush(): Promise<void>
  /** For queries; throws if the file cannot be read. */
  read<T>(ask: (database: Database) => T): T
  health(): Health
  close(): Promise<void>
}

export interface RecorderOptions {
  readonly redact?: Redact
  /** Removes what must never be in the file from every text written, including ids and names. */
  readonly text?: (text: string) => string
  /** How many jobs may be queued while the file cannot be written; older ones are dropped first. */
  readonly most?: number
  /** How long a job waits at most before it is written automatically. */
  readonly everyMs?: number
}

/** Replaces a text that could not be checked for secrets. */
export const UNCHECKED = "[redacted:unchecked]"

const MOST_WAITING = 50_000
const EVERY_MS = 200
/** At this queue length, jobs are written automatically. */
const MANY = 1_000
/** The most jobs in one transaction. More would make other processes, and this one, wait. */
const BATCH = 4_000
/** A statement blocks the whole process while it waits, so it waits briefly and is retried. */
const WAIT_MS = 20
const READ_WAIT_MS = 5_000
const EXIT_WAIT_MS = 1_000

export function openRecord(path: string, options: RecorderOptions = {}): Recorder {
  return new FileRecorder(path, options)
}

class FileRecorder implements Recorder {
  readonly path: string
  readonly #redact: Redact | undefined
  readonly #text: RecorderOptions["text"]
  readonly #most: number
  readonly #everyMs: number
  #database: Database | undefined
  #waiting: Job[] = []
  /** Taken from the queue, but not yet in the file. */
  #inHand: readonly Job[] = []
  #dropped = 0
  /** Dropped, but not yet added to the sum in the file. */
  #untold = 0
  #lastError: string | undefined
  #damaged: string | undefined
  #working: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #atEnd = () => void (this.#waiting.length > 0 && this.flush())
  readonly #atExit = () => this.#writeAtExit()

  constructor(path: string, { redact, text, most = MOST_WAITING, everyMs = EVERY_MS }: RecorderOptions) {
    this.path = path
    this.#redact = redact
    this.#text = text
    this.#most = most
    this.#everyMs = everyMs
    process.on("beforeExit", this.#atEnd)
    process.on("exit", this.#atExit)
  }

  append(event: RecordEvent): void {
    try {
      this.enqueue(eventJob(event, this.#redact !== undefined))
    } catch (error) {
      // Data that is not JSON.
      this.#lose(1, error)
    }
  }

  enqueue(job: Job): void {
    if (this.#isClosed) {
      this.#lose(1, new Error("the record is closed"))
      return
    }
    this.#waiting.push(job)
    // Drops several at a time: removing one at the front moves all others.
    if (this.#waiting.length > this.#most * 1.1)
      this.#lose(
        this.#waiting.splice(0, this.#waiting.length - this.#most).length,
        new Error("too much waits"),
      )
    if (this.#waiting.length === MANY) void this.flush()
    this.#timer ??= setTimeout(() => void this.flush(), this.#everyMs).unref()
  }

  flush(): Promise<void> {
    this.#working = this.#working.then(() => this.#writeAll())
    return this.#working
  }

  read<T>(ask: (database: Database) => T): T {
    return stubbornly(() => ask(this.#opened()), READ_WAIT_MS)
  }

  health(): Health {
    return {
      waiting: this.#waiting.length + this.#inHand.length,
      dropped: this.#dropped,
      lastError: this.#lastError,
      damaged: this.#damaged,
    }
  }

  async close(): Promise<void> {
    await this.flush()
    this.#isClosed = true
    process.off("beforeExit", this.#atEnd)
    process.off("exit", this.#atExit)
    this.#letGo()
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Only the current queue: others may keep appending.
    for (let left = this.#waiting.length; left > 0; left -= BATCH) {
      this.#inHand = this.#waiting.splice(0, Math.min(left, BATCH)).filter((job) => this.#hasTexts(job))
      await this.#writeInHand()
      if (left > BATCH) await breathe()
    }
  }

  /** A job may compute its texts lazily. */
  #hasTexts(job: Job): boolean {
    try {
      return Array.isArray(job.texts)
    } catch (error) {
      this.#lose(1, error)
      return false
    }
  }

  async #writeInHand(): Promise<void> {
    const jobs = this.#inHand
    try {
      const given = jobs.flatMap((job) => job.texts)
      const texts = this.#redact === undefined || given.length === 0 ? given : await this.#redact(given)
      if (texts.length !== given.length) throw new Error("the redactor lost a text")
      await patiently(() => this.#commit(jobs, texts))
    } catch (error) {
      // The turn continues: the record counts the loss, and opens a new file handle next time.
      this.#inHand = []
      this.#lose(jobs.length, error)
      this.#letGo()
    }
  }

  #commit(jobs: readonly Job[], texts: readonly string[]): void {
    try {
      this.#commitOnce(jobs, texts)
    } catch (error) {
      if (!isDamaged(error)) throw error
      this.#letGo()
      this.#damaged = moveAside(this.path) ?? this.#damaged
      this.#lastError = messageOf(error)
      this.#commitOnce(jobs, texts)
    }
  }

  #commitOnce(jobs: readonly Job[], texts: readonly string[]): void {
    const database = this.#opened()
    let failures: readonly unknown[] = []
    const batch = (write: () => void) =>
      database.transaction(() => {
        const last = lastEventId(database)
        write()
        indexTexts(database, last)
        addCalls(database, last)
        if (this.#untold > 0) addToFact(database, "dropped", this.#untold)
        if (this.#damaged !== undefined) setFact(database, "damaged", this.#damaged)
      })
    try {
      batch(() => writeJobs(jobs, texts, database))
    } catch (error) {
      if (!isAboutData(error)) throw error
      batch(() => {
        failures = writeEach(jobs, texts, database)
      })
    }
    this.#inHand = []
    this.#untold = 0
    for (const error of failures) this.#lose(1, error)
  }

  /** There is no time left to redact. */
  #writeAtExit(): void {
    const left = [...this.#inHand, ...this.#waiting]
    if (left.length === 0) return
    this.#inHand = []
    this.#waiting = []
    const whole = left.filter((job) => this.#hasTexts(job))
    const jobs = whole.filter(
      ({ texts, withoutTexts }) => this.#redact === undefined || texts.length === 0 || withoutTexts,
    )
    if (jobs.length < whole.length)
      this.#lose(whole.length - jobs.length, new Error("the process ended before it was redacted"))
    const texts = jobs.flatMap((job) =>
      this.#redact === undefined ? job.texts : job.texts.map(() => UNCHECKED),
    )
    try {
      stubbornly(() => this.#commit(jobs, texts), EXIT_WAIT_MS)
    } catch (error) {
      this.#lose(jobs.length, error)
    }
  }

  #opened(): Database {
    if (this.#database?.isGone()) this.#letGo()
    this.#database ??= openDatabase(this.path, {
      ...{ migrations: RECORD_MIGRATIONS, wait: WAIT_MS },
      ...(this.#text && { text: this.#text }),
    })
    return this.#database
  }

  #letGo(): void {
    try {
      this.#database?.close()
    } catch {
      // The handle was no longer usable; there is nothing left to save in it.
    }
    this.#database = undefined
  }

  #lose(count: number, error: unknown): void {
    this.#dropped += count
    this.#untold += count
    this.#lastError = messageOf(error)
  }
}

function eventJob(event: RecordEvent, isRedacted: boolean): Job {
  const error = event.error ?? ""
  // Now, since the data may change before it is written.
  const json = event.data === undefined ? "" : JSON.stringify(event.data)
  if (!isRedacted) return { texts: [], write: (database) => insertEvent(database, event, error, json) }
  const inData = json === "" ? undefined : jsonTexts(json)
  return {
    texts: [error, ...(inData?.texts ?? [])],
    write: (database, [shownError = "", ...shown]) =>
      insertEvent(database, event, error === "" ? "" : shownError, inData?.fill(shown) ?? ""),
    withoutTexts: true,
  }
}

function writeJobs(jobs: readonly Job[], texts: readonly string[], database: Database): void {
  let next = 0
  for (const job of jobs) {
    job.write(database, texts.slice(next, next + job.texts.length))
    next += job.texts.length
  }
}

/** Slower, but a job that cannot be written fails alone. Returns the failed jobs. */
function writeEach(jobs: readonly Job[], texts: readonly string[], database: Database): readonly unknown[] {
  const failures: unknown[] = []
  let next = 0
  for (const job of jobs) {
    const own = texts.slice(next, next + job.texts.length)
    next += job.texts.length
    database.run("SAVEPOINT job")
    try {
      job.write(database, own)
    } catch (error) {
      if (!isAboutData(error)) throw error
      failures.push(error)
      database.run("ROLLBACK TO job")
    }
    database.run("RELEASE job")
  }
  return failures
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
