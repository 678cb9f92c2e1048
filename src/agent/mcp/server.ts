// The lifetime of one MCP server: starts it within a limit, retries if it is down, restarts it when it is lost, and
// lists its tools again when they have changed. Its last offer stays known while it is away.
import type { Secrets } from "../../record/redact/secrets.ts"
import { ToolFailure } from "../../tools/host.ts"
import type { McpPlace, McpServer } from "./config.ts"
import type { CallOutcome, CallResult, Connection, ConnectionOptions, Offer } from "./connection.ts"
import { type Definition, definitionsOf } from "./definitions.ts"
import type { Wait } from "./listening.ts"
import { withRetries } from "./retries.ts"
import { framed, promptText, reasonOf, shortened } from "./text.ts"
import { within } from "./with-timeout.ts"

export interface Trouble {
  readonly level: "debug" | "info" | "warn" | "error"
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
  /** Its offer changed. */
  readonly changed: (server: string) => void
  readonly wait: Wait
  readonly secrets: Secrets
}

const MOST_INSTRUCTIONS = 20_000
const SESSION_GONE = "the server lost its session; a new one was started"

export class ServerLifetime {
  readonly server: McpServer
  readonly #options: LifetimeOptions
  /** All connections that still have to end, including the current one. */
  readonly #open = new Set<Connection>()
  #connection: Connection | undefined
  #starting: Promise<void> | undefined
  #error: string | undefined
  #definitions: readonly Definition[] = []
  #instructions = ""
  #isStale = false
  #isListing = false
  #isBeginning = false
  #isBlocked = false
  #failures = 0
  /** What was wrong with its last offer. */
  #warnings: readonly string[] = []
  readonly #closing = new AbortController()

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

  /** Whether something other than the server itself kept it from starting, such as a missing approval. */
  get isBlocked(): boolean {
    return this.#isBlocked
  }

  /** Resolves after the first try; a server that is down is retried later. Never rejects: failures are reported. */
  async begin(): Promise<void> {
    if (this.#connection !== undefined) return
    if (this.#isBeginning) return this.#start("")
    this.#isBeginning = true
    const attempt = async (pauseMs: number | undefined) => {
      if (this.#connection !== undefined) return true
      const tries = this.#failures + 1
      await this.#start(
        pauseMs === undefined
          ? `; it was tried ${tries} times and will be tried again when you reload`
          : `; the next attempt is in ${pauseMs / 1_000}s`,
      )
      const isOver = this.#connection !== undefined || this.#isBlocked || pauseMs === undefined
      if (isOver) this.#isBeginning = false
      return isOver
    }
    await withRetries({ attempt, wait: this.#options.wait, signal: this.#closing.signal })
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    stop: AbortSignal | undefined,
  ): Promise<CallResult> {
    const late = AbortSignal.timeout(this.server.callMs)
    const { signal, release } = eitherOf(late, stop)
    const asked = async (connection: Connection | undefined): Promise<CallOutcome> =>
      connection === undefined ? { kind: "aborted" } : connection.call(tool, input, signal)
    try {
      let connection = this.#connection ?? (await this.#restarted(signal))
      let outcome = await asked(connection)
      if (outcome.kind === "expired") {
        this.#renew(connection)
        connection = this.#connection ?? (await this.#restarted(signal))
        outcome = await asked(connection)
      }
      if (outcome.kind === "lost") this.#lose(connection, outcome.why)
      return this.#resultOf(outcome, stop?.aborted === true)
    } finally {
      release()
    }
  }

  /** Resolves when none of its processes is left. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#connection = undefined
    this.#error ??= "it was closed"
    await Promise.all([...this.#open].map((connection) => this.#end(connection)))
    await this.#starting
  }

  /** `outlook`: what to say about the next try if this one fails. */
  #start(outlook: string): Promise<void> {
    this.#starting ??= this.#connect(outlook).finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async #connect(outlook: string): Promise<void> {
    let connection: Connection | undefined
    try {
      // Import it lazily: the client is large, and most agents have no servers.
      const { openConnection } = await import("./connection.ts")
      if (this.#closing.signal.aborted) return
      const opened = openConnection(
        this.#place(),
        this.#eventsOf(() => opened),
      )
      connection = opened
      this.#open.add(opened)
      const { limitMs } = this.#options
      const offer = await within(opened.start(), { limitMs, late: () => noAnswer(limitMs) })
      if (this.#closing.signal.aborted) return
      this.#connection = opened
      this.#error = undefined
      if (this.#failures > 0) this.#tell("info", `is running now; ${this.#failures} earlier attempts failed`)
      this.#failures = 0
      this.#take(offer)
      // The change may have come before the first list.
      void this.#listAgain()
    } catch (error) {
      // Anything a server or its client throws counts as a failure of that server; the others continue.
      if (connection !== undefined) void this.#end(connection)
      if (this.#closing.signal.aborted) return
      this.#failures += 1
      this.#error = reasonOf(error, this.#options.secrets.redact)
      this.#tell("error", `could not be started: ${this.#error}${this.#isBlocked ? "" : outlook}`)
    }
  }

  #place(): McpPlace {
    this.#isBlocked = true
    const place = this.server.place()
    this.#isBlocked = false
    return place
  }

  #eventsOf(opened: () => Connection): ConnectionOptions {
    return {
      detail: (text) => this.#tell("debug", this.#short(text)),
      listChanged: () => {
        this.#isStale = true
        void this.#listAgain()
      },
      lost: (why) => this.#lose(opened(), why),
      wait: this.#options.wait,
      secrets: this.#options.secrets,
    }
  }

  /** The connection after one more try; undefined if the signal came first. */
  async #restarted(signal: AbortSignal): Promise<Connection | undefined> {
    if (this.#closing.signal.aborted) throw new ToolFailure(`The server "${this.server.name}" is closed.`)
    await Promise.race([this.#start(""), abortOf(signal)])
    if (this.#connection !== undefined || signal.aborted) return this.#connection
    const detail = framed({ server: this.server.name }, this.#error ?? "")
    throw new ToolFailure(`The server "${this.server.name}" is not running and could not be started.`, {
      detail,
    })
  }

  #resultOf(outcome: CallOutcome, isStopped: boolean): CallResult {
    const name = `The server "${this.server.name}"`
    const said = (text: string) => framed({ server: this.server.name }, this.#short(text))
    switch (outcome.kind) {
      case "answered":
        return outcome.result
      case "refused":
        throw new ToolFailure(`${name} refused the call.\n${said(outcome.text)}`)
      case "garbled":
        throw new ToolFailure(`${name} sent an answer that is not valid MCP.`)
      case "expired":
        throw new ToolFailure(`${name} lost its session twice; the call had no effect.`)
      case "lost":
        throw new ToolFailure(
          `${name} was lost during the call, which may have taken effect. The next call starts it again.`,
          { detail: said(outcome.why) },
        )
      case "aborted":
        if (isStopped) throw new ToolFailure("The call was stopped.")
        throw new ToolFailure(
          `${name} did not answer within ${this.server.callMs}ms; the call may have taken effect.`,
        )
    }
  }

  #lose(connection: Connection | undefined, why: string): void {
    if (this.#leave(connection, why)) this.#tell("warn", `was lost: ${this.#short(why)}`)
  }

  /** Renews the session of a server that forgot it, which a restart explains. */
  #renew(connection: Connection | undefined): void {
    if (this.#leave(connection, SESSION_GONE)) this.#tell("debug", SESSION_GONE)
  }

  #leave(connection: Connection | undefined, why: string): boolean {
    if (connection === undefined || connection !== this.#connection) return false
    this.#connection = undefined
    this.#error = why
    void this.#end(connection)
    return true
  }

  async #end(connection: Connection): Promise<void> {
    await connection.close()
    this.#open.delete(connection)
  }

  /** One request at a time, however often the server reports changes. */
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
      const listed = await within(connection.list(), { limitMs, late: () => noAnswer(limitMs) })
      if (connection !== this.#connection) return
      if (listed !== undefined) return this.#take(listed)
      this.#renew(connection)
      await this.#start("")
    } catch (error) {
      // The tools stay as they were.
      if (!this.#closing.signal.aborted)
        this.#tell(
          "warn",
          `its tools could not be listed again: ${reasonOf(error, this.#options.secrets.redact)}`,
        )
    }
  }

  #take({ tools, faults, cut, instructions }: Offer): void {
    const { items, warnings } = definitionsOf(tools, this.server)
    const isUsed = this.server.tellsInstructions && instructions !== undefined
    const cleaned = isUsed ? promptText(instructions, "instructions", MOST_INSTRUCTIONS) : undefined
    const endless = cut === undefined ? [] : [`its list of tools ${cut}; the rest is not used`]
    this.#warnOnce([...faults, ...warnings, ...endless, ...(cleaned?.warnings ?? [])])
    const before = JSON.stringify([this.#definitions, this.#instructions])
    this.#definitions = items
    this.#instructions = cleaned?.text ?? this.#instructions
    const isChanged = before !== JSON.stringify([this.#definitions, this.#instructions])
    if (isChanged) this.#options.changed(this.server.name)
  }

  /** Lists are fetched often, so warnings are not repeated. */
  #warnOnce(warnings: readonly string[]): void {
    for (const text of warnings) if (!this.#warnings.includes(text)) this.#tell("warn", text)
    this.#warnings = warnings
  }

  #short(text: string): string {
    return shortened(text, this.#options.secrets.redact)
  }

  #tell(level: Trouble["level"], text: string): void {
    this.#options.trouble({ level, server: this.server.name, text })
  }
}

function noAnswer(limitMs: number): never {
  throw new Error(`no answer within ${limitMs}ms`)
}

/** A separate signal for each call, so that a finished call leaves no listener behind. */
function eitherOf(late: AbortSignal, stop: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error("the caller stopped waiting"))
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
