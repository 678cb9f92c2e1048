// The lifetime of one MCP server: starts it within a limit, retries if it is down, restarts it when it is lost, and
// lists its tools again when they have changed. Its last offer stays known while it is away.
import type { Secrets } from "../../record/redact/secrets.ts"
import { ToolFailure } from "../../tools/host.ts"
import type { Caller } from "./ask/callers.ts"
import { showPages } from "./ask/show-pages.ts"
import { resultOf } from "./calls/call-failure.ts"
import { callLimit } from "./calls/call-limit.ts"
import type { CallOutcome, CallResult, Progress, ToolCall } from "./calls/call-tool.ts"
import type { McpPlace, McpServer } from "./config.ts"
import type { Connection, ConnectionOptions, Offer } from "./connection.ts"
import { type Definition, definitionsOf } from "./definitions.ts"
import type { Wait } from "./listening.ts"
import { withRetries } from "./retries.ts"
import { SignInNeeded } from "./sign-in/failures.ts"
import { type SignIns, wantRights } from "./sign-in/stored-sign-ins.ts"
import { cutShort, framed, promptText, reasonOf, shortened } from "./text.ts"
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
  /** Where tokens are; undefined where nobody signs in. */
  readonly signIns?: SignIns | undefined
}

export interface ServerCall {
  readonly tool: Definition
  readonly input: Readonly<Record<string, unknown>>
  readonly stop: AbortSignal | undefined
  /** Whom the server may ask. */
  readonly caller?: Caller | undefined
  readonly progressed?: (progress: Progress) => void
}

interface Asked {
  readonly connection: Connection | undefined
  readonly outcome: CallOutcome
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
  /** The address of a server over HTTP. */
  #url: string | undefined
  /** Only the person can help: how their sign-in was when it was refused. */
  #refused: { readonly stamp: string | undefined } | undefined
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

  /** Whether something other than the server itself kept it from starting, such as a missing approval or sign-in. */
  get isBlocked(): boolean {
    return this.#isBlocked
  }

  /** Nothing has changed since the server refused the sign-in, so another try would fail as well. */
  get #waitsForSignIn(): boolean {
    return this.#refused !== undefined && this.#refused.stamp === this.#stamp()
  }

  #stamp(): string | undefined {
    return this.#url === undefined ? undefined : this.#options.signIns?.stamp(this.#url)
  }

  /** Resolves after the first try; a server that is down is retried later. Never rejects: failures are reported. */
  async begin(): Promise<void> {
    if (this.#connection !== undefined || this.#waitsForSignIn) return
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

  /** `given.tool`: one of its definitions. */
  async call({ tool, input, stop, caller, progressed = () => {} }: ServerCall): Promise<CallResult> {
    const { name, callMs } = this.server
    const limit = callLimit(callMs, stop)
    const { signal } = limit
    const call: ToolCall = {
      ...{ name: tool.name, input, signal },
      caller: caller && { ...caller, ask: (question) => limit.without(() => caller.ask(question)) },
      progressed(progress) {
        limit.progressed()
        progressed(progress)
      },
    }
    try {
      const first = await this.#asked(call)
      const again = this.#mayRepeat(first.outcome, tool)
      if (again) this.#leaveBefore(first)
      const { outcome, connection } = again ? await this.#asked(call, pausesAfter(first.outcome)) : first
      if (outcome.kind === "lost" || outcome.kind === "unreached") this.#lose(connection, outcome.why)
      if (outcome.kind === "unauthorized") this.#wantSignIn(outcome)
      const declined = (why: string) => this.#tell("warn", why)
      if (outcome.kind === "pages") await showPages(outcome.pages, call.caller, { server: name, declined })
      const short = (text: string) => this.short(text)
      return resultOf(outcome, { server: name, limitMs: callMs, isStopped: stop?.aborted === true, short })
    } finally {
      limit.end()
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

  async #asked(call: ToolCall, pauses: readonly number[] = []): Promise<Asked> {
    const connection = this.#connection ?? (await this.#restarted(call.signal, pauses))
    return { connection, outcome: (await connection?.call(call)) ?? { kind: "aborted" } }
  }

  /** What has had no effect, or has the same one twice. The rest is for the model and the person to decide. */
  #mayRepeat({ kind }: CallOutcome, { name, isRepeatable }: Definition): boolean {
    if (kind === "lost" && isRepeatable)
      this.#tell("info", `the call of ${cutShort(name)} is made again: it has no further effect`)
    return kind === "expired" || kind === "unreached" || (kind === "lost" && isRepeatable)
  }

  #leaveBefore({ outcome, connection }: Asked): void {
    if (outcome.kind === "expired") this.#renew(connection)
    else if ("why" in outcome) this.#lose(connection, outcome.why)
  }

  #wantSignIn({ why, scope }: Extract<CallOutcome, { readonly kind: "unauthorized" }>): void {
    const { name } = this.server
    if (scope === undefined) {
      this.#tell("warn", this.short(why))
      return
    }
    const { signIns } = this.#options
    const isKnown = this.#url !== undefined && signIns !== undefined && wantRights(signIns, this.#url, scope)
    const which = isKnown ? ` (${cutShort(scope)})` : ""
    this.#tell("warn", `a call needs more rights${which}; to grant them, run: incipit mcp login ${name}`)
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
      this.#refused = undefined
      this.#take(offer)
      // The change may have come before the first list.
      void this.#listAgain()
    } catch (error) {
      // Anything a server or its client throws counts as a failure of that server; the others continue.
      if (connection !== undefined) void this.#end(connection)
      if (this.#closing.signal.aborted) return
      this.#failures += 1
      if (error instanceof SignInNeeded) {
        this.#isBlocked = true
        this.#refused = { stamp: this.#stamp() }
      }
      this.#error = reasonOf(error, this.#options.secrets.redact)
      this.#tell("error", `could not be started: ${this.#error}${this.#isBlocked ? "" : outlook}`)
    }
  }

  #place(): McpPlace {
    this.#isBlocked = true
    const place = this.server.place()
    this.#isBlocked = false
    this.#url = place.kind === "http" ? place.url : undefined
    return place
  }

  #eventsOf(opened: () => Connection): ConnectionOptions {
    return {
      detail: (text) => this.#tell("debug", this.short(text)),
      listChanged: () => {
        this.#isStale = true
        void this.#listAgain()
      },
      declined: (why) => this.#tell("warn", this.short(why)),
      lost: (why) => this.#lose(opened(), why),
      server: this.server.name,
      announced: this.server.announced,
      signIns: this.#options.signIns,
      wait: this.#options.wait,
      secrets: this.#options.secrets,
    }
  }

  /** The connection after one more try, and one after each pause; undefined if the signal came first. */
  async #restarted(signal: AbortSignal, pauses: readonly number[]): Promise<Connection | undefined> {
    if (this.#closing.signal.aborted) throw new ToolFailure(`The server "${this.server.name}" is closed.`)
    await Promise.race([this.#start(""), abortOf(signal)])
    for (const pauseMs of pauses) {
      if (this.#connection !== undefined || this.#isBlocked || signal.aborted) break
      await this.#options.wait(pauseMs, signal).catch(() => undefined)
      await Promise.race([this.#start(""), abortOf(signal)])
    }
    if (this.#connection !== undefined || signal.aborted) return this.#connection
    const detail = framed({ server: this.server.name }, this.#error ?? "")
    throw new ToolFailure(`The server "${this.server.name}" is not running and could not be started.`, {
      detail,
    })
  }

  #lose(connection: Connection | undefined, why: string): void {
    if (this.#leave(connection, why)) this.#tell("warn", `was lost: ${this.short(why)}`)
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

  /** A text of the server's, without keys and not too long. */
  short(text: string): string {
    return shortened(text, this.#options.secrets.redact)
  }

  #tell(level: Trouble["level"], text: string): void {
    this.#options.trouble({ level, server: this.server.name, text })
  }
}

/** What was just lost may be on its way back. Nothing listens for long where a call was not even taken. */
function pausesAfter({ kind }: CallOutcome): readonly number[] {
  return kind === "lost" ? [250, 1_000, 2_000, 4_000] : []
}

function noAnswer(limitMs: number): never {
  throw new Error(`no answer within ${limitMs}ms`)
}

function abortOf(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener("abort", () => resolve(), { once: true })
  return promise
}
