// Runs the built command line in a hostile folder and watches it: what it wrote on its streams, how it ended, how much
// memory it and its children took, and, where strace works, every program, file and address.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import type { Place } from "./place.ts"
import { readTrace, type Traced, tracing, whyNotTraced } from "./strace.ts"

export interface Watched {
  readonly args: readonly string[]
  readonly status: number | null
  /** It had to be ended: it worked for too long, or did nothing. */
  readonly hung: boolean
  readonly stdout: string
  readonly stderr: string
  readonly peakMegabytes: number
  readonly events: readonly Traced[]
  /** What it may write: the user's state, and what Node keeps of compiled code. */
  readonly own: readonly string[]
}

export interface WatchOptions {
  readonly place: Place
  readonly args: readonly string[]
  readonly input?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Where the user's state is; without it a folder that is empty and goes afterwards. */
  readonly state?: string
  /** For a command that goes on: once this was written, it is told to end. */
  readonly until?: RegExp
}

/**
 * A command takes a second or two of CPU time, and up to 15 traced in a folder with 45,000 files. The limit counts CPU
 * time, so a busy machine changes nothing.
 */
const CPU_SECONDS = 60
/** A command that used less CPU time than this within three minutes is waiting for something that never comes. */
const IDLE = { withinMs: 180_000, ticks: 50 }
const LOOK_MS = 25
const OUTPUT_LIMIT = 64 * 1024 * 1024

export const NOT_TRACED = whyNotTraced()
const BIN = resolve("bin/incipit.js")
/** Code that Node has compiled before: shared, so that each run starts as fast as on a machine in use. */
export const COMPILED = mkdtempSync(join(tmpdir(), "incipit-compiled-"))
export const removeCompiled = () => rmSync(COMPILED, { recursive: true, force: true })

export async function watched(options: WatchOptions): Promise<Watched> {
  const { place, args } = options
  const scratch = mkdtempSync(join(tmpdir(), "incipit-watched-"))
  const trace = join(scratch, "trace")
  const cwd = options.cwd ?? place.start
  const command = commandLine(args, trace)
  try {
    const state = options.state ?? join(scratch, "state")
    const ended = await runToEnd(command, { ...options, cwd, state })
    const events = NOT_TRACED === undefined ? readTrace(trace, cwd) : []
    return { args, ...ended, events, own: [state, place.usualState, COMPILED] }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** With a limit of work, and traced where that can be done. */
export function commandLine(args: readonly string[], trace: string): readonly string[] {
  const traced = NOT_TRACED === undefined ? tracing(trace) : []
  const limited = ["/bin/sh", "-c", `ulimit -t ${CPU_SECONDS}; exec "$@"`, "sh"]
  return [...limited, ...traced, process.execPath, BIN, ...args]
}

async function runToEnd(
  command: readonly string[],
  options: WatchOptions & { readonly cwd: string; readonly state: string },
): Promise<Omit<Watched, "args" | "events" | "own">> {
  const [program = "", ...args] = command
  const child = spawn(program, args, { cwd: options.cwd, env: environment(options), detached: true })
  const { pid = 0 } = child
  const streams = { stdout: "", stderr: "" }
  let interrupted = false
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("latin1").on("data", (data: string) => {
      if (streams[name].length < OUTPUT_LIMIT) streams[name] += data
      if (!interrupted && options.until?.test(streams[name]) === true) {
        interrupted = true
        interrupt(pid)
      }
    })
  child.stdin.on("error", () => {})
  child.stdin.end(options.input ?? "")
  let peak = 0
  let hung = false
  const look = setInterval(() => {
    peak = Math.max(peak, ...descendants(pid).map(peakOf))
  }, LOOK_MS)
  let worked = 0
  const dog = setInterval(() => {
    const ticks = descendants(pid).reduce((sum, one) => sum + ticksOf(one), 0)
    if (ticks - worked < IDLE.ticks) {
      hung = true
      signalTo(pid, "SIGKILL")
    }
    worked = ticks
  }, IDLE.withinMs)
  const status = await new Promise<number | null>((done, fail) => {
    child.once("error", fail)
    child.once("close", (code, signal) => {
      hung ||= signal === "SIGXCPU" || signal === "SIGKILL"
      // Told to end before it listens for that, a program ends by the signal itself.
      done(signal === "SIGINT" && interrupted ? 0 : code)
    })
  })
  clearInterval(look)
  clearInterval(dog)
  signalTo(pid, "SIGKILL")
  const utf8 = (text: string) => Buffer.from(text, "latin1").toString("utf8")
  return { status, hung, stdout: utf8(streams.stdout), stderr: utf8(streams.stderr), peakMegabytes: peak }
}

/** A user's environment with secrets in it, and nothing of the test's own. */
export function environment({
  place,
  env,
  state,
}: Pick<WatchOptions, "place" | "env"> & { readonly state: string }): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    HOME: place.takenHome,
    XDG_STATE_HOME: state,
    TMPDIR: place.temporary,
    TZ: "UTC",
    COLUMNS: "80",
    NODE_COMPILE_CACHE: COMPILED,
    // Through a ring, Node could write files that strace does not see.
    UV_USE_IO_URING: "0",
    AWS_SECRET_ACCESS_KEY: SECRET_VARIABLE,
    ...env,
  }
}

/** The value of a variable that a hostile configuration names as its key. */
export const SECRET_VARIABLE = "canary-7f3e91-variable"

/** Only the program itself: strace would end at once. */
function interrupt(pid: number): void {
  const program = descendants(pid)[NOT_TRACED === undefined ? 1 : 0]
  if (program !== undefined) process.kill(program, "SIGINT")
}

/** The group, since strace and what it runs are two processes. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}

function descendants(pid: number): readonly number[] {
  const text = readOr(`/proc/${pid}/task/${pid}/children`)
  const children = text.split(" ").filter((word) => word !== "")
  return [pid, ...children.flatMap((child) => descendants(Number(child)))]
}

function peakOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/status`))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1024)
}

/** CPU time in ticks: fields 14 and 15, counted behind the name in brackets, which may hold anything. */
function ticksOf(pid: number): number {
  const text = readOr(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

/** A process may end while it is looked at. */
function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
