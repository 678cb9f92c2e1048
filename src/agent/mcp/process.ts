// An MCP server as a child process: messages on stdin and stdout, one per line. It leads its own process group, so that
// its children end with it. Its stderr is read line by line and never reaches the terminal.
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client"
import { errorCode } from "../../base/system-error.ts"
import type { SecretStream } from "../../record/redact/stream.ts"
import type { McpPlace } from "./config.ts"
import { MOST_MESSAGE, readLines, wholeLines } from "./lines.ts"
import { within } from "./with-timeout.ts"

type ProcessPlace = Extract<McpPlace, { readonly kind: "process" }>
interface ProcessOptions {
  /** Receives its stderr. */
  readonly line: (line: string) => void
  readonly secrets: SecretStream
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** How long a server may take to exit before each stronger signal. */
const GRACE_MS = 1_000
const MOST_LINE = 2_000

export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport["onmessage"]
  /** How it ended; undefined while it runs. */
  end: string | undefined
  readonly #place: ProcessPlace
  readonly #line: ProcessOptions["line"]
  readonly #secrets: SecretStream
  readonly #lines = wholeLines(MOST_MESSAGE)
  readonly #gone = Promise.withResolvers<void>()
  #child: Child | undefined

  constructor(place: ProcessPlace, { line, secrets }: ProcessOptions) {
    this.#place = place
    this.#line = line
    this.#secrets = secrets
  }

  async start(): Promise<void> {
    const { command, args, directory, env, launch } = this.#place
    const inside = await launch?.()
    const options = { detached: true, stdio: "pipe" } as const
    const child =
      inside === undefined
        ? spawn(command, args, { ...options, cwd: directory, env })
        : spawn(inside.program, inside.args, { ...options, cwd: "/", env: inside.env })
    if (inside !== undefined) void this.#gone.promise.then(inside.release)
    this.#child = child
    const started = Promise.withResolvers<void>()
    child.once("spawn", () => started.resolve())
    child.on("error", (error) => {
      this.#finish(error.message)
      started.reject(error)
    })
    child.once("exit", (status, signal) => {
      this.end ??= signal === null ? `exited with status ${status}` : `was killed by ${signal}`
      killGroup(child, "SIGKILL")
      // Its last output may still be in the pipe, which a process outside of its group may keep open for ever.
      setTimeout(() => this.#finish(this.end), GRACE_MS).unref()
    })
    child.once("close", () => this.#finish(this.end))
    child.stdin.on("error", (error) => this.onerror?.(error))
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk))
    readLines(child.stderr, { mostLine: MOST_LINE, tell: this.#line, secrets: this.#secrets })
    return started.promise
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stdin = this.#child?.stdin
    if (stdin?.writable !== true) reject(new Error("the server is not running"))
    else stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
    return promise
  }

  /** Resolves when none of its processes is left. */
  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.stdin.end()
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await isGoneSoon(this.#gone.promise)) return
      killGroup(child, signal)
    }
    await this.#gone.promise
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines(chunk)) this.#take(line)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // More than any message needs, and its end cannot be found.
      this.end ??= `sent a message that is too long (${error.message})`
      if (this.#child !== undefined) killGroup(this.#child, "SIGKILL")
    }
  }

  #take(line: string): void {
    if (line.trim() === "") return
    try {
      this.onmessage?.(deserializeMessage(line))
    } catch (error) {
      // One line that isn't a message, such as a greeting; later lines may be.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #finish(end: string | undefined): void {
    if (this.#child === undefined) return
    this.end = end
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    this.#child = undefined
    this.#gone.resolve()
    this.onclose?.()
  }
}

function isGoneSoon(gone: Promise<void>): Promise<boolean> {
  return within(
    gone.then(() => true),
    { limitMs: GRACE_MS, late: () => false },
  )
}

function killGroup({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The group is empty, or holds only processes that we may not signal.
    if (errorCode(error) !== "ESRCH" && errorCode(error) !== "EPERM") throw error
  }
}
