// The record: events and receipts in a store. Appending never blocks and never throws. The queue is redacted and written
// together: on request, when it is long, a moment after the first job, and at exit, if the store can. While another
// process has the store locked, the queue is kept and tried again. What `health` counts as waiting is not stored yet.
import process from "node:process"
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { Appended } from "../../database/contract/record/batch.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { openRecordFile } from "../../database/sqlite/record/open-record.ts"
import type { RecordEvent } from "./event.ts"
import { type InHand, isPrepared, withTexts } from "./in-hand.ts"
import { pauseBefore } from "./pause-before.ts"
import { createReceiptCache, type ReceiptCache } from "./receipt-cache.ts"
import { eventJob, type Job } from "./record-jobs.ts"

/** Removes secrets from texts; keeps their order. */
export type Redact = (texts: readonly string[]) => Promise<readonly string[]>

/** The state of the record itself. */
export interface Health {
  /** Jobs that are not stored yet. */
  readonly waiting: number
  /** Jobs that could not be written since the record was opened. The fact `dropped` has the sum of all processes. */
  readonly dropped: number
  readonly lastError: string | undefined
  /** Where a damaged file was moved to, if there was one. */
  readonly damaged: string | undefined
}

/** An open record. Appending never waits for the disk and never fails. */
export interface Recorder {
  /** Of the file, or the name of the database. */
  readonly path: string
  /** What was kept of the last receipts. */
  readonly receipts: ReceiptCache
  append(event: RecordEvent): void
  enqueue(job: Job): void
  /**
   * Resolves when everything appended before is stored, where it survives a crash of the process, or is counted as
   * dropped. If another process has the record locked for long, it resolves all the same, and the rest still waits.
   */
  flush(): Promise<void>
  /** The same, but never waits for a lock: returns false if something is left, which is written later. */
  flushIfFree(): Promise<boolean>
  /** For queries, which reject if the record cannot be read. */
  read<T>(ask: (store: RecordStore) => T): T
  health(): Health
  close(): Promise<void>
}

/** What is redacted before it is written, and how much may wait. */
export interface RecordOptions {
  readonly redact?: Redact
  /** How many jobs may be queued while the record cannot be written; older ones are dropped first. */
  readonly most?: number
  /** How long a job waits at most before it is written automatically. */
  readonly everyMs?: number
}

/** The same for a record in a file. */
export interface RecorderOptions extends RecordOptions {
  /** Removes what must never be in the file from every text written, including ids and names. */
  readonly text?: (text: string) => string
}

/** Replaces a text that could not be checked for secrets. */
export const UNCHECKED = "[redacted:unchecked]"

const MOST_WAITING = 50_000
const EVERY_MS = 200
/** At this queue length, jobs are written automatically. */
const MANY = 1_000
/** The most jobs in one transaction, and how long preparing them may block this process. */
const BATCH = 500
const SLICE_MS = 8
/** How long a caller waits for another process to unlock the record. */
const FLUSH_WAIT_MS = 15_000
/** How long those wait who don't wait for a lock. */
const ANSWER_WAIT_MS = 500

/** Opens the record: a SQLite file with events, receipts and costs. */
export function openRecord(path: string, { text, ...options }: RecorderOptions = {}): Recorder {
  return recordInto(openRecordFile(path, { text }), options)
}

/** Records into an open store, and closes it in the end. */
export function recordInto(store: RecordStore, options: RecordOptions = {}): Recorder {
  return new StoreRecorder(store, options)
}

class StoreRecorder implements Recorder {
  readonly path: string
  readonly receipts = createReceiptCache()
  readonly #store: RecordStore
  readonly #redact: Redact | undefined
  readonly #most: number
  readonly #everyMs: number
  #waiting: Job[] = []
  /** Taken from the queue, but not yet redacted. */
  #taken: readonly Job[] = []
  /** Redacted, but not yet stored. */
  #inHand: readonly InHand[] = []
  /** How many jobs were ever queued, and up to which of them to write now. */
  #queued = 0
  #wanted = 0
  #isWriting = false
  /** The last attempt to write met a lock. */
  #isLocked = false
  readonly #listeners = new Set<Listener>()
  #dropped = 0
  /** Dropped, but not yet added to the stored sum. */
  #unreported = 0
  #lastError: string | undefined
  #damaged: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #atEnd = () => void (this.#unwritten() > 0 && this.flush())
  readonly #atExit = () => this.#writeAtExit()

  constructor(store: RecordStore, { redact, most = MOST_WAITING, everyMs = EVERY_MS }: RecordOptions) {
    this.path = store.path
    this.#store = store
    this.#redact = redact
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

  /** Resolves when what is queued now is stored or dropped; with `orLocked`, also when the record is locked. */
  #written(orLocked: boolean): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#listeners.add({ upTo: this.#queued, orLocked, done: resolve })
    void this.#write()
    this.#tell()
    return promise
  }

  read<T>(ask: (store: RecordStore) => T): T {
    return ask(this.#store)
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
    this.#taken = []
    this.#inHand = []
    this.#waiting = []
    if (left > 0) this.#lose(left, new Error("the record was closed while it was locked"))
    this.#tell()
    process.off("beforeExit", this.#atEnd)
    process.off("exit", this.#atExit)
    await this.#store.close()
  }

  #unwritten(): number {
    return this.#waiting.length + this.#taken.length + this.#inHand.length
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
      this.#isLocked = !(await this.#isCommitted())
      this.#tell()
      tries = this.#isLocked ? tries + 1 : 0
      if (this.#isLocked) await pauseBefore(tries)
      else if (this.#unwritten() > 0) await letOthersRun()
    }
    this.#isWriting = false
  }

  /** A job may compute its texts lazily. */
  #hasTexts(job: Job): boolean {
    return this.#does(() => Array.isArray(job.texts))
  }

  /** Otherwise, the job is lost. */
  #does(work: () => boolean): boolean {
    try {
      return work()
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
    this.#taken = jobs
    try {
      const given = jobs.flatMap((job) => job.texts)
      const texts = this.#redact === undefined || given.length === 0 ? given : await this.#redact(given)
      if (texts.length !== given.length) throw new Error("the redactor returned too few texts")
      const inHand: InHand[] = []
      for (const item of withTexts(jobs, texts)) if (await this.#isInformed(item.job)) inHand.push(item)
      // Unless the record was closed in the meantime.
      if (this.#taken === jobs) this.#inHand = inHand
    } catch (error) {
      if (this.#taken === jobs) this.#lose(jobs.length, error)
    }
    this.#taken = []
  }

  /** Otherwise, the job is lost. */
  async #isInformed({ ask }: Job): Promise<boolean> {
    try {
      await ask?.(this.#store)
      return true
    } catch (error) {
      this.#lose(1, error)
      return false
    }
  }

  /** Returns false if the record is locked. */
  async #isCommitted(): Promise<boolean> {
    const inHand = this.#prepare(SLICE_MS)
    if (inHand.length === 0) return true
    try {
      const appended = this.#store.append(this.#batchOf(inHand))
      // Without a pause if there is none: the process may end in it, and would write everything again.
      return this.#settle(inHand, appended instanceof Promise ? await this.#patiently(appended) : appended)
    } catch (error) {
      // The turn continues, and the record counts the loss.
      this.#inHand = this.#inHand.slice(inHand.length)
      this.#lose(inHand.length, error)
    }
    return true
  }

  /** A store that takes long to answer is as good as locked for those who don't wait. */
  async #patiently(appended: Promise<Appended>): Promise<Appended> {
    const timer = setTimeout(() => {
      this.#isLocked = true
      this.#tell()
    }, ANSWER_WAIT_MS).unref()
    try {
      return await appended
    } finally {
      clearTimeout(timer)
    }
  }

  /** Computes what to write, for a while, at least one. Returns the jobs that are ready. */
  #prepare(limitMs: number): readonly InHand[] {
    const start = performance.now()
    const ready: InHand[] = []
    let count = 0
    for (const item of this.#inHand) {
      if (count > 0 && performance.now() - start > limitMs) break
      count += 1
      if (item.entry !== undefined || this.#does(() => isPrepared(item))) ready.push(item)
    }
    this.#inHand = [...ready, ...this.#inHand.slice(count)]
    return ready
  }

  #batchOf(inHand: readonly InHand[]) {
    return { entries: inHand.flatMap(({ entry }) => entry ?? []), dropped: this.#unreported }
  }

  #settle(inHand: readonly InHand[], appended: Appended): boolean {
    if (appended.kind === "locked") return false
    const { count, failures, nodes, damaged } = appended
    for (const [at, path] of nodes) inHand[at]?.job.written?.(path)
    this.#inHand = this.#inHand.slice(count)
    this.#unreported = 0
    this.#lastError = damaged?.why ?? this.#lastError
    this.#damaged = damaged?.movedTo ?? this.#damaged
    for (const error of failures) this.#lose(1, error)
    return true
  }

  /** There is no time left to redact. */
  #writeAtExit(): void {
    const left = [...this.#inHand.map(({ job }) => job), ...this.#taken, ...this.#waiting]
    if (left.length === 0) return
    const whole = left.filter((job) => this.#hasTexts(job))
    const jobs = whole.filter(
      ({ texts, withoutTexts }) => this.#redact === undefined || texts.length === 0 || withoutTexts,
    )
    if (jobs.length < whole.length)
      this.#lose(whole.length - jobs.length, new Error("the process ended before it was redacted"))
    const texts = jobs.flatMap((job) =>
      this.#redact === undefined ? job.texts : job.texts.map(() => UNCHECKED),
    )
    this.#taken = []
    this.#waiting = []
    this.#inHand = withTexts(jobs, texts)
    const inHand = this.#prepare(Number.POSITIVE_INFINITY)
    this.#inHand = []
    try {
      const appended = this.#store.append({ ...this.#batchOf(inHand), isLast: true })
      // Nobody is left to see it fail.
      if (appended instanceof Promise) appended.catch(() => {})
    } catch (error) {
      this.#lose(inHand.length, error)
    }
  }

  #lose(count: number, error: unknown): void {
    this.#dropped += count
    this.#unreported += count
    this.#lastError = messageOf(error)
  }
}

/** Somebody who waits until the jobs up to this one are stored. */
interface Listener {
  readonly upTo: number
  readonly orLocked: boolean
  readonly done: (isSettled: boolean) => void
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
