// Reports which entries of some folders changed since the last call, without checking each of them. A worker thread
// watches the folders with inotify. To answer within the same turn, `FolderWatch` triggers an event through the same
// queue: once it arrives, all earlier events have arrived, too. A caller that gets no answer has to check everything.
// See docs/decisions/0030.
import { closeSync, futimesSync, openSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads"
import { errorCode } from "../../base/system-error.ts"

/** What the worker thread receives. */
export interface WatchThreadData {
  readonly folders: readonly string[]
  /** The path of the file that triggers a question. */
  readonly bell: string
  /** The numbers of the last question and the last answer, in shared memory. */
  readonly asked: Int32Array
  readonly answered: Int32Array
  readonly answers: MessagePort
  /** With more events than this between two answers, some may have been lost. */
  readonly mostEvents: number
  /** How often the thread checks every entry, for changes that raise no event. */
  readonly sweepMs: number
}

/** Changed paths, or `too-many` if there were too many events to be sure. */
export type WatchAnswer = readonly string[] | "too-many"

/**
 * An answer takes less than a millisecond unless the machine is busy. Checking everything takes no longer than this.
 */
const PATIENCE_MS = 100
/** After this many changes, checking everything is worth it. */
const MOST_EVENTS = 1_000
const SWEEP_MS = 30_000
const QUEUE = "/proc/sys/fs/inotify/max_queued_events"

let opened = 0

/**
 * Watches the folders themselves, not their subfolders. Returns undefined on systems where it is not proven to see
 * every change.
 */
export function openFolderWatch(
  folders: readonly string[],
  scratch: string,
  sweepMs = SWEEP_MS,
): FolderWatch | undefined {
  if (process.platform !== "linux") return undefined
  try {
    return new FolderWatch(folders, { scratch, sweepMs })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

export class FolderWatch {
  readonly #bell: number
  readonly #asked = new Int32Array(new SharedArrayBuffer(4))
  readonly #answered = new Int32Array(new SharedArrayBuffer(4))
  readonly #answers: MessagePort
  readonly #thread: Worker
  readonly #started: Promise<void>
  #state: "starting" | "watching" | "ended" = "starting"

  /** `scratch` is a folder for a temporary file, which is unlinked at once and used through its handle. */
  constructor(
    folders: readonly string[],
    { scratch, sweepMs }: { readonly scratch: string; readonly sweepMs: number },
  ) {
    // The kernel drops events when its queue is full, and Node does not report that. So stay well below the limit.
    const mostEvents = Math.min(MOST_EVENTS, Number(readFileSync(QUEUE, "utf8")) / 2)
    const { port1, port2 } = new MessageChannel()
    this.#answers = port1
    this.#bell = openUnnamed(scratch)
    const bell = `/proc/self/fd/${this.#bell}`
    const [asked, answered] = [this.#asked, this.#answered]
    try {
      this.#thread = startThread({ folders, bell, asked, answered, answers: port2, mostEvents, sweepMs })
    } catch (error) {
      // A process may not be allowed to start threads.
      closeSync(this.#bell)
      throw error
    }
    this.#thread.unref()
    this.#started = new Promise((resolve) => {
      const become = (state: "watching" | "ended") => () => {
        if (this.#state !== "ended") this.#state = state
        resolve()
      }
      this.#thread.once("message", become("watching"))
      // A folder is gone, or its file system does not report everything, or there are too many watches.
      this.#thread.once("error", become("ended"))
      this.#thread.once("exit", become("ended"))
    })
  }

  get isWatching(): boolean {
    return this.#state === "watching"
  }

  /** Resolves when the thread is watching, or cannot watch. */
  async started(): Promise<void> {
    this.#thread.ref()
    await this.#started
    this.#thread.unref()
  }

  /** Paths of entries that changed, or may have, since the last answer. Returns undefined if it cannot tell. */
  changed(): readonly string[] | undefined {
    const before = Atomics.load(this.#asked, 0)
    // While an answer is late, a new question could be mistaken for the old one.
    if (!this.isWatching || Atomics.load(this.#answered, 0) !== before) return undefined
    const question = before + 1
    Atomics.store(this.#asked, 0, question)
    futimesSync(this.#bell, question, question)
    Atomics.wait(this.#answered, 0, before, PATIENCE_MS)
    if (Atomics.load(this.#answered, 0) !== question) return undefined
    const answers: WatchAnswer[] = []
    for (let next = this.#next(); next !== undefined; next = this.#next()) answers.push(next)
    return answers.includes("too-many") ? undefined : answers.flat()
  }

  async close(): Promise<void> {
    this.#state = "ended"
    this.#answers.close()
    await this.#thread.terminate()
    closeSync(this.#bell)
  }

  #next(): WatchAnswer | undefined {
    // Only the thread holds the other end.
    return receiveMessageOnPort(this.#answers)?.message as WatchAnswer | undefined
  }
}

function startThread(workerData: WatchThreadData): Worker {
  const name = `./folder-watch-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`
  return new Worker(new URL(name, import.meta.url), {
    workerData,
    transferList: [workerData.answers],
    execArgv: [],
    env: {},
  })
}

/** A file without a name: it vanishes however the process ends, and no other process can touch it. */
function openUnnamed(folder: string): number {
  opened += 1
  const path = join(folder, `.watch-${process.pid}-${opened}`)
  rmSync(path, { force: true })
  const handle = openSync(path, "wx", 0o600)
  rmSync(path)
  return handle
}
