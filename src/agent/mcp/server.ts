// The lifetime of one MCP server: started within a limit, asked, lost and started again, its tools fetched anew when
// it says that they have changed. What it offered last stays known while it is away.
import { ToolFailure } from "../../tools/host.ts"
import type { McpServer } from "./config.ts"
import type { CallOutcome, CallResult, Connection, Offer } from "./connection.ts"
import { type Definition, definitionsOf } from "./definitions.ts"
import { framed, promptText, reasonOf, shortened } from "./text.ts"
import { within } from "./within.ts"

export interface Trouble {
  readonly level: "debug" | "warn" | "error"
  readonly server: string
  readonly text: string
}

export interface ServerStatus {
  readonly name: string
  readonly state: "ready" | "starting" | "failed"
  readonly tools: number
  /** Why it failed. */
  readonly error?: string
}

export interface LifetimeOptions {
  readonly limitMs: number
  readonly trouble: (trouble: Trouble) => void
  /** It offers something else than before. */
  readonly changed: (server: string) => void
}

const MOST_INSTRUCTIONS = 20_000

export class ServerLifetime {
  readonly server: McpServer
  readonly #options: LifetimeOptions
  /** All that still have to end, the current one among them. */
  readonly #open = new Set<Connection>()
  #connection: Connection | undefined
  #starting: Promise<void> | undefined
  #error: string | undefined
  #definitions: readonly Definition[] = []
  #instructions = ""
  #isStale = false
  #isListing = false
  #isClosed = false

  constructor(server: McpServer, options: LifetimeOptions) {
    this.server = server
    this.#options = options
  }

  get definitions(): readonly Definition[] {
    return this.#definitions
  }

  get instructions(): string {
    return this.#instructions
  }

  status(): ServerStatus {
    const common = { name: this.server.name, tools: this.#definitions.length }
    if (this.#connection !== undefined) return { ...common, state: "ready" }
    if (this.#starting !== undefined || this.#error === undefined) return { ...common, state: "starting" }
    return { ...common, state: "failed", error: this.#error }
  }

  /** Never rejects: what went wrong is told, and is in the status. */
  start(): Promise<void> {
    this.#starting ??= this.#connect().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    stop: AbortSignal | undefined,
  ): Promise<CallResult> {
    const late = AbortSignal.timeout(this.server.callMs)
    const { signal, release } = eitherOf(late, stop)
    try {
      const connection = this.#connection ?? (await this.#restarted(signal))
      const outcome =
        connection === undefined ? ({ kind: "aborted" } as const) : await connection.call(tool, input, signal)
      if (outcome.kind === "lost") this.#lose(connection, outcome.why)
      return this.#resultOf(outcome, stop?.aborted === true)
    } finally {
      release()
    }
  }

  /** Resolves when nothing that was started runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#connection = undefined
    this.#error ??= "it was closed"
    await Promise.all([...this.#open].map((connection) => this.#end(connection)))
    await this.#starting
  }

  async #connect(): Promise<void> {
    let connection: Connection | undefined
    try {
      // The client is large, and most agents have no servers.
      const { openConnection } = await import("./connection.ts")
      if (this.#isClosed) return
      const opened = openConnection(this.server.place(), {
        detail: (text) => this.#tell("debug", shortened(text)),
        listChanged: () => {
          this.#isStale = true
          void this.#listAgain()
        },
        lost: (why) => this.#lose(opened, why),
      })
      connection = opened
      this.#open.add(opened)
      const { limitMs } = this.#options
      const offer = await within(opened.start(), { limitMs, late: () => noAnswer(limitMs) })
      if (this.#isClosed) return
      this.#connection = opened
      this.#error = undefined
      this.#take(offer)
      // It may have said so before there was a list.
      void this.#listAgain()
    } catch (error) {
      // Whatever a server or its client throws is a failure of that server; the others go on.
      if (connection !== undefined) void this.#end(connection)
      if (this.#isClosed) return
      this.#error = reasonOf(error)
      this.#tell("error", `could not be started: ${this.#error}`)
    }
  }

  /** The connection after one more try; nothing if the signal came first. */
  async #restarted(signal: AbortSignal): Promise<Connection | undefined> {
    if (this.#isClosed) throw new ToolFailure(`The server "${this.server.name}" is closed.`)
    await Promise.race([this.start(), abortOf(signal)])
    if (this.#connection !== undefined || signal.aborted) return this.#connection
    const detail = framed({ server: this.server.name }, this.#error ?? "")
    throw new ToolFailure(`The server "${this.server.name}" does not run and could not be started.`, {
      detail,
    })
  }

  #resultOf(outcome: CallOutcome, isStopped: boolean): CallResult {
    const name = `The server "${this.server.name}"`
    const said = (text: string) => framed({ server: this.server.name }, shortened(text))
    switch (outcome.kind) {
      case "answered":
        return outcome.result
      case "refused":
        throw new ToolFailure(`${name} refused the call.\n${said(outcome.text)}`)
      case "garbled":
        throw new ToolFailure(`${name} answered in a form that is not MCP.`)
      case "lost":
        throw new ToolFailure(
          `${name} was lost during the call; whether it had an effect is not known. The next call starts it again.`,
          { detail: said(outcome.why) },
        )
      case "aborted":
        if (isStopped) throw new ToolFailure("The call was stopped.")
        throw new ToolFailure(
          `${name} did not answer within ${this.server.callMs}ms; whether the call had an effect is not known.`,
        )
    }
  }

  #lose(connection: Connection | undefined, why: string): void {
    if (connection === undefined || connection !== this.#connection) return
    this.#connection = undefined
    this.#error = why
    void this.#end(connection)
    this.#tell("warn", `was lost: ${shortened(why)}`)
  }

  async #end(connection: Connection): Promise<void> {
    await connection.close()
    this.#open.delete(connection)
  }

  /** One request at a time, however often the server says that its tools have changed. */
  async #listAgain(): Promise<void> {
    if (this.#isListing) return
    this.#isListing = true
    for (let at = this.#connection; this.#isStale && at !== undefined; at = this.#connection) {
      this.#isStale = false
      await this.#list(at)
    }
    this.#isListing = false
  }

  async #list(connection: Connection): Promise<void> {
    try {
      const limitMs = this.server.callMs
      const tools = await within(connection.list(), { limitMs, late: () => noAnswer(limitMs) })
      if (connection === this.#connection) this.#take({ tools })
    } catch (error) {
      // The tools stay as they were.
      if (!this.#isClosed) this.#tell("warn", `its tools could not be listed again: ${reasonOf(error)}`)
    }
  }

  #take({ tools, instructions }: Offer): void {
    const { items, findings } = definitionsOf(tools, this.server)
    const isTold = this.server.tellsInstructions && instructions !== undefined
    const told = isTold ? promptText(instructions, "instructions", MOST_INSTRUCTIONS) : undefined
    for (const text of [...findings, ...(told?.findings ?? [])]) this.#tell("warn", text)
    const before = JSON.stringify([this.#definitions, this.#instructions])
    this.#definitions = items
    this.#instructions = told?.text ?? this.#instructions
    const isChanged = before !== JSON.stringify([this.#definitions, this.#instructions])
    if (isChanged) this.#options.changed(this.server.name)
  }

  #tell(level: Trouble["level"], text: string): void {
    this.#options.trouble({ level, server: this.server.name, text })
  }
}

function noAnswer(limitMs: number): never {
  throw new Error(`no answer within ${limitMs}ms`)
}

/** A signal of its own for each call: one that has ended leaves no listener behind. */
function eitherOf(late: AbortSignal, stop: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error("the caller no longer waits"))
  const signals = stop === undefined ? [late] : [late, stop]
  for (const signal of signals) signal.addEventListener("abort", abort)
  if (signals.some(({ aborted }) => aborted)) abort()
  const release = () => {
    for (const signal of signals) signal.removeEventListener("abort", abort)
  }
  return { signal: controller.signal, release }
}

function abortOf(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener("abort", () => resolve(), { once: true })
  return promise
}
