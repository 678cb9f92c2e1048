// Says which entries of some folders have changed since it was last asked, without looking at each of them. A thread of
// its own watches the folders (inotify). To answer in the same turn, it is sent an event through the same queue: when that
// one arrives, all earlier ones have. Whoever gets no answer has to look at everything. docs/decisions/0030.
import { closeSync, futimesSync, openSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads"
import { errorCode } from "../../base/system-error.ts"

/** What the thread is given. */
export interface WatchThreadData {
  readonly folders: readonly string[]
  /** The path of the file through which it is asked. */
  readonly bell: string
  /** The number of the last question, and of the last answer, in memory that both threads share. */
  readonly asked: Int32Array
  readonly answered: Int32Array
  readonly answers: MessagePort
  /** With more events than this between two answers, some may have been lost. */
  readonly mostEvents: number
  /** How often it looks at every entry, for what raises no event. */
  readonly sweepMs: number
}

/** Paths, or that there were too many events to be sure of them. */
export type WatchAnswer = readonly string[] | "too-many"

/** An answer takes less than a millisecond, unless the machine is busy. Looking at everything takes no longer than this. */
const PATIENCE_MS = 100
/** After so many changes a look at everything is worth it. */
const MOST_EVENTS = 1_000
const SWEEP_MS = 30_000
const QUEUE = "/proc/sys/fs/inotify/max_queued_events"

let opened = 0

/** Watches the folders themselves, not those below them. `undefined` where nobody has proved that it sees everything. */
export function watchFolders(
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

  /** `scratch` is a folder in which a file may be made. It is removed at once and used through its handle. */
  constructor(
    folders: readonly string[],
    { scratch, sweepMs }: { readonly scratch: string; readonly sweepMs: number },
  ) {
    // The kernel drops events when its queue is full, and Node does not pass that on. So nobody may come near to it.
    const mostEvents = Math.min(MOST_EVENTS, Number(readFileSync(QUEUE, "utf8")) / 2)
    const { port1, port2 } = new MessageChannel()
    this.#answers = port1
    this.#bell = openUnnamed(scratch)
    const bell = `/proc/self/fd/${this.#bell}`
    const [asked, answered] = [this.#asked, this.#answered]
    try {
      this.#thread = startThread({ folders, bell, asked, answered, answers: port2, mostEvents, sweepMs })
    } catch (error) {
      // A process may be forbidden to have threads.
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
      // A folder is gone or on a file system that does not report everything, or there are too many watches.
      this.#thread.once("error", become("ended"))
      this.#thread.once("exit", become("ended"))
    })
  }

  get isWatching(): boolean {
    return this.#state === "watching"
  }

  /** Until it watches, or is known not to. */
  async started(): Promise<void> {
    this.#thread.ref()
    await this.#started
    this.#thread.unref()
  }

  /** Paths of entries that have changed, or may have, since the last answer. `undefined`: it cannot tell. */
  changed(): readonly string[] | undefined {
    const before = Atomics.load(this.#asked, 0)
    // While an answer is late, a new question could be taken for the old one.
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
    // Only the thread has the other end.
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

/** A file without a name: nothing is left of it, however the process ends, and nobody else can touch it. */
function openUnnamed(folder: string): number {
  opened += 1
  const path = join(folder, `.watch-${process.pid}-${opened}`)
  rmSync(path, { force: true })
  const handle = openSync(path, "wx", 0o600)
  rmSync(path)
  return handle
}
