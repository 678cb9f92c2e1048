// The record: events and receipts in a SQLite file. Appending never blocks and never throws. The queue is redacted and
// written together: on request, when it is long, a moment after the first job, and at exit. While another process has
// the file locked, the queue is kept and tried again. What `health` counts as waiting is not in the file yet.
import process from "node:process"
import { setImmediate as letOthersRun, setTimeout as pause } from "node:timers/promises"
import { moveAside } from "../../database/sqlite/damaged.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { isAboutData, isBusy, isDamaged, retryBlocking } from "../../database/sqlite/failure.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import { addCalls } from "../ask/call-sums.ts"
import type { RecordEvent } from "./event.ts"
import { addToFact, setFact } from "./facts.ts"
import { indexTexts, lastEventId } from "./insert.ts"
import { createReceiptCache, type ReceiptCache } from "./receipt-cache.ts"
import { eventJob, type Job, writeEach, writeJobs } from "./record-jobs.ts"
import { RECORD_MIGRATIONS } from "./schema.ts"

/** Removes secrets from texts; keeps their order. */
export type Redact = (texts: readonly string[]) => Promise<readonly string[]>

/** The state of the record itself. */
export interface Health {
  /** Jobs that are not in the file yet. */
  readonly waiting: number
  /** Jobs that could not be written since the record was opened. The fact `dropped` has the sum of all processes. */
  readonly dropped: number
  readonly lastError: string | undefined
  /** Where a damaged file was moved to, if there was one. */
  readonly damaged: string | undefined
}

/** An open record. Appending never waits for the disk and never fails. */
export interface Recorder {
  readonly path: string
  /** What was kept of the last receipts. */
  readonly receipts: ReceiptCache
  append(event: RecordEvent): void
  enqueue(job: Job): void
  /**
   * Resolves when everything appended before is in the file, where it survives a crash of the process, or is counted as
   * dropped. If another process has the file locked for long, it resolves all the same, and the rest still waits.
   */
  flush(): Promise<void>
  /** The same, but never waits for a lock: returns false if something is left, which is written later. */
  flushIfFree(): Promise<boolean>
  /** For queries; throws if the file cannot be read. */
  read<T>(ask: (database: Database) => T): T
  health(): Health
  close(): Promise<void>
}

/** What is redacted before it is written, and how much may wait. */
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
/** The most jobs in one transaction, and how long preparing or writing them may block this process. */
const BATCH = 500
const SLICE_MS = 8
/** A statement blocks the whole process while it waits, so it waits briefly and is retried. */
const WAIT_MS = 5
const LONGEST_PAUSE_MS = 100
/** How long a caller waits for another process to unlock the file. */
const FLUSH_WAIT_MS = 15_000
const READ_WAIT_MS = 5_000
const EXIT_WAIT_MS = 1_000

/** Opens the record: a SQLite file with events, receipts and costs. */
export function openRecord(path: string, options: RecorderOptions = {}): Recorder {
  return new FileRecorder(path, options)
}

class FileRecorder implements Recorder {
  readonly path: string
  readonly receipts = createReceiptCache()
  readonly #redact: Redact | undefined
  readonly #text: RecorderOptions["text"]
  readonly #most: number
  readonly #everyMs: number
  #database: Database | undefined
  #waiting: Job[] = []
  /** Taken from the queue, but not yet in the file; `#texts` are theirs, redacted. */
  #inHand: readonly Job[] = []
  #texts: readonly string[] = []
  /** How many jobs were ever queued, and up to which of them to write now. */
  #queued = 0
  #wanted = 0
  #isWriting = false
  /** The last attempt to write met a lock. */
  #isLocked = false
  readonly #listeners = new Set<Listener>()
  #dropped = 0
  /** Dropped, but not yet added to the sum in the file. */
  #unreported = 0
  #lastError: string | undefined
  #damaged: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #atEnd = () => void (this.#unwritten() > 0 && this.flush())
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
    this.#queued += 1
    // Drops several at a time: removing one at the front moves all others.
    if (this.#waiting.length > this.#most * 1.1)
      this.#lose(
        this.#waiting.splice(0, this.#waiting.length - this.#most).length,
        new Error("too many events are queued"),
      )
    if (this.#waiting.length === MANY) void this.#write()
    this.#timer ??= setTimeout(() => void this.#write(), this.#everyMs).unref()
  }

  async flush(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    // Also keeps the process alive meanwhile.
    const timer = setTimeout(resolve, FLUSH_WAIT_MS)
    await Promise.race([this.#written(false), promise])
    clearTimeout(timer)
  }

  flushIfFree(): Promise<boolean> {
    return this.#written(true)
  }

  /** Resolves when what is queued now is in the file or dropped; with `orLocked`, also when the file is locked. */
  #written(orLocked: boolean): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#listeners.add({ upTo: this.#queued, orLocked, done: resolve })
    void this.#write()
    this.#tell()
    return promise
  }

  read<T>(ask: (database: Database) => T): T {
    return retryBlocking(() => ask(this.#opened()), READ_WAIT_MS)
  }

  health(): Health {
    return {
      waiting: this.#unwritten(),
      dropped: this.#dropped,
      lastError: this.#lastError,
      damaged: this.#damaged,
    }
  }

  async close(): Promise<void> {
    await this.flush()
    this.#isClosed = true
    const left = this.#unwritten()
    this.#inHand = []
    this.#waiting = []
    if (left > 0) this.#lose(left, new Error("the record was closed while it was locked"))
    this.#tell()
    process.off("beforeExit", this.#atEnd)
    process.off("exit", this.#atExit)
    this.#letGo()
  }

  #unwritten(): number {
    return this.#waiting.length + this.#inHand.length
  }

  #tell(): void {
    const settled = this.#queued - this.#unwritten()
    for (const listener of this.#listeners) {
      const isSettled = settled >= listener.upTo
      if (!isSettled && !(listener.orLocked && this.#isLocked)) continue
      this.#listeners.delete(listener)
      listener.done(isSettled)
    }
  }

  /** Writes what is queued now. Includes jobs that are appended while it runs. */
  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#wanted = this.#queued
    if (this.#isWriting) return
    this.#isWriting = true
    let tries = 0
    while (this.#unwritten() > 0 && this.#queued - this.#unwritten() < this.#wanted) {
      if (this.#inHand.length === 0) await this.#take()
      this.#isLocked = !this.#isCommitted()
      this.#tell()
      tries = this.#isLocked ? tries + 1 : 0
      if (this.#isLocked) await pauseBefore(tries)
      else if (this.#unwritten() > 0) await letOthersRun()
    }
    this.#isWriting = false
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

  /** Removes jobs from the queue. The texts of a long request take a while to prepare. */
  #next(): readonly Job[] {
    const start = performance.now()
    const jobs: Job[] = []
    let count = 0
    for (const job of this.#waiting) {
      if (count === BATCH || (count > 0 && performance.now() - start > SLICE_MS)) break
      count += 1
      if (this.#hasTexts(job)) jobs.push(job)
    }
    this.#waiting.splice(0, count)
    return jobs
  }

  /** Takes the next jobs from the queue and redacts their texts. */
  async #take(): Promise<void> {
    const jobs = this.#next()
    this.#inHand = jobs
    this.#texts = []
    try {
      const given = jobs.flatMap((job) => job.texts)
      this.#texts = this.#redact === undefined || given.length === 0 ? given : await this.#redact(given)
      if (this.#texts.length !== given.length) throw new Error("the redactor returned too few texts")
    } catch (error) {
      this.#loseInHand(jobs, error)
    }
  }

  /** Returns false if the file is locked. */
  #isCommitted(): boolean {
    const jobs = this.#inHand
    if (jobs.length === 0) return true
    try {
      this.#commit(jobs, this.#texts, SLICE_MS)
    } catch (error) {
      if (isBusy(error)) return false
      // The turn continues: the record counts the loss, and opens a new file handle next time.
      this.#loseInHand(jobs, error)
      this.#letGo()
    }
    return true
  }

  #loseInHand(jobs: readonly Job[], error: unknown): void {
    this.#inHand = []
    this.#lose(jobs.length, error)
  }

  /** What is not written within the time stays in hand. */
  #commit(jobs: readonly Job[], texts: readonly string[], limitMs: number): void {
    try {
      this.#commitOnce(jobs, texts, limitMs)
    } catch (error) {
      if (!isDamaged(error)) throw error
      this.#letGo()
      this.#damaged = moveAside(this.path) ?? this.#damaged
      this.#lastError = messageOf(error)
      this.#commitOnce(jobs, texts, limitMs)
    }
  }

  #commitOnce(jobs: readonly Job[], texts: readonly string[], limitMs: number): void {
    const database = this.#opened()
    let written = jobs.length
    let failures: readonly unknown[] = []
    const batch = (write: () => void) =>
      database.transaction(() => {
        const last = lastEventId(database)
        write()
        indexTexts(database, last)
        addCalls(database, last)
        if (this.#unreported > 0) addToFact(database, "dropped", this.#unreported)
        if (this.#damaged !== undefined) setFact(database, "damaged", this.#damaged)
      })
    try {
      batch(() => {
        written = writeJobs(jobs, texts, database, limitMs)
      })
    } catch (error) {
      if (!isAboutData(error)) throw error
      written = jobs.length
      batch(() => {
        failures = writeEach(jobs, texts, database)
      })
    }
    this.#texts = texts.slice(jobs.slice(0, written).reduce((sum, job) => sum + job.texts.length, 0))
    this.#inHand = jobs.slice(written)
    this.#unreported = 0
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
      retryBlocking(() => this.#commit(jobs, texts, Number.POSITIVE_INFINITY), EXIT_WAIT_MS)
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
    this.#unreported += count
    this.#lastError = messageOf(error)
  }
}

/** Somebody who waits until the jobs up to this one are in the file. */
interface Listener {
  readonly upTo: number
  readonly orLocked: boolean
  readonly done: (isSettled: boolean) => void
}

/** Random, so that processes do not keep colliding. The timer must not keep the process alive. */
function pauseBefore(tries: number): Promise<void> {
  const ms = Math.min(LONGEST_PAUSE_MS, 10 * 2 ** tries)
  return pause(ms * (0.5 + Math.random()), undefined, { ref: false })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
