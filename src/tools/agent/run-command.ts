// Runs a command in a shell in its own process group, and ends the whole group on a timeout or when the turn is
// stopped. Waits for the command, never for what it left running in the background.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { setTimeout as pause, setImmediate as turnOfLoop } from "node:timers/promises"
import { errorCode } from "../../base/system-error.ts"
import type { CommandEnd, PlacedCommand } from "../command-place.ts"
import { ToolFailure } from "../host.ts"

export interface Command extends PlacedCommand {
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** A program that runs the command elsewhere, instead of a shell here. */
  readonly launch?: Launch | undefined
  /** The command is ended once it has printed more. */
  readonly outputBytes?: number | undefined
}

/** A command line, with the environment that it needs itself. */
export interface Launch {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const SHELLS = ["bash", "sh"]
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000
const LOOK_MS = 20
/** How long to wait for more output once the command has ended: until it is quiet, but not forever. */
const QUIET_MS = 100
const DRAIN_MS = 1_000
/** On a busy machine a pause may be over before the end of a pipe was looked at: reading it, and the events that follow. */
const LOOKS = 5

export async function runCommand(options: Command): Promise<CommandEnd> {
  const { signal, timeoutMs, outputBytes } = options
  signal.throwIfAborted()
  const output = limited(options.print, outputBytes)
  const { child, group, exited, closed } = await start({ ...options, print: output.print }, SHELLS)
  const timeout = AbortSignal.timeout(timeoutMs)
  const isUp = await Promise.race([
    exited.then(() => false),
    aborted(AbortSignal.any([signal, timeout, output.passed])).then(() => true),
  ])
  if (isUp) await endGroup(group)
  // Even SIGKILL has to wait for a disk that does not respond.
  await Promise.race([exited, pause(GRACE_MS, undefined, { ref: false })])
  const isClosed = await drained(child, closed)
  child.stdout?.destroy()
  child.stderr?.destroy()
  signal.throwIfAborted()
  const { exitCode, signalCode } = child
  return {
    code: exitCode ?? undefined,
    signal: signalCode ?? undefined,
    isLate: isUp && !output.passed.aborted,
    isTooLong: output.passed.aborted,
    isRunning: !isClosed,
  }
}

/** `passed`: aborted once the limit is passed; what comes after is not printed. */
function limited(print: Command["print"], most = Number.POSITIVE_INFINITY) {
  const passing = new AbortController()
  let bytes = 0
  return {
    passed: passing.signal,
    print(text: string) {
      if (bytes > most) return
      bytes += Buffer.byteLength(text)
      print(text)
      if (bytes > most) passing.abort()
    },
  }
}

interface Started {
  readonly child: ChildProcess
  /** The id of its process, and so of its group. */
  readonly group: number
  readonly exited: Promise<void>
  readonly closed: Promise<void>
}

async function start(options: Command, [shell = "sh", ...others]: readonly string[]): Promise<Started> {
  const { command, directory, env, print, launch } = options
  const [program, args] = launch ? [launch.program, launch.args] : [shell, ["-c", `exec 2>&1; ${command}`]]
  const child = spawn(program, args, {
    cwd: launch ? "/" : directory,
    env: launch?.env ?? env,
    // Its own session: one group, and no terminal that could prompt for a password.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()))
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print)
  try {
    await once(child, "spawn")
  } catch (error) {
    if (errorCode(error) === "ENOENT" && others.length > 0 && launch === undefined)
      return start(options, others)
    throw new ToolFailure(`The command could not be started (${errorCode(error) ?? "unknown"}).`)
  }
  // Group 0 would be our own.
  if (!child.pid) throw new ToolFailure("The command could not be started.")
  return { child, group: child.pid, exited, closed }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

async function endGroup(group: number): Promise<void> {
  signalGroup(group, "SIGTERM")
  for (let waited = 0; waited < GRACE_MS && signalGroup(group, 0); waited += LOOK_MS) await pause(LOOK_MS)
  signalGroup(group, "SIGKILL")
}

/** Whether any process in the group is left to receive it. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false
    // There is a process, but it belongs to another user.
    if (errorCode(error) === "EPERM") return true
    throw error
  }
}

/** A background process may hold the pipe open forever, so don't wait for its end. Returns whether it has ended. */
async function drained(child: ChildProcess, closed: Promise<void>): Promise<boolean> {
  let isClosed = false
  let isQuiet = false
  const heard = () => {
    isQuiet = false
  }
  child.stdout?.on("data", heard)
  void closed.then(() => {
    isClosed = true
  })
  for (let waited = 0; waited < DRAIN_MS && !isClosed && !isQuiet; waited += QUIET_MS) {
    isQuiet = true
    await Promise.race([closed, pause(QUIET_MS)])
    for (let look = 0; look < LOOKS && !isClosed; look += 1) await turnOfLoop()
  }
  return isClosed
}
