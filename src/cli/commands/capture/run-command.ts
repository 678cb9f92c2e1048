// Runs a command with this terminal as if it had been started alone: its streams, its signals and its exit status.
import { spawn } from "node:child_process"
import { constants } from "node:os"
import process from "node:process"
import { errorCode, systemReason } from "../../../base/system-error.ts"

export interface CommandOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** `why`: it could not be started. */
export interface Ended {
  readonly status: number
  readonly why?: string | undefined
}

/** The terminal sends these to every process in the foreground: the command decides what they mean. */
const FROM_TERMINAL = ["SIGINT", "SIGQUIT"] as const
const PASSED_ON = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const
/** What shells use. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126
const BY_SIGNAL = 128

export async function runCommand({ command, args, cwd, variables }: CommandOptions): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const ignore = () => {}
  // Before the command starts: it may be running while this process is not.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal)
  for (const signal of FROM_TERMINAL) process.on(signal, ignore)
  for (const signal of PASSED_ON) process.on(signal, pass)
  const child = spawn(command, args, { cwd, env: { ...variables }, stdio: "inherit" })
  child.once("error", (error) => {
    const status = errorCode(error) === "ENOENT" ? NOT_FOUND : NOT_RUNNABLE
    resolve({ status, why: errorCode(error) === "ENOENT" ? "there is no such command" : systemReason(error) })
  })
  child.once("exit", (code, signal) => {
    resolve({ status: signal === null ? (code ?? 1) : BY_SIGNAL + constants.signals[signal] })
  })
  try {
    return await promise
  } finally {
    for (const signal of FROM_TERMINAL) process.off(signal, ignore)
    for (const signal of PASSED_ON) process.off(signal, pass)
  }
}
