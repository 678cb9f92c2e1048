// Programs that end when this process is told to end. Git that waits for a named pipe in a folder would otherwise wait
// for ever: its limit of time is a timer of this process. Nothing can be done about SIGKILL.
import type { ChildProcess } from "node:child_process"
import process from "node:process"

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

const running = new Set<ChildProcess>()

export function endsWithUs(child: ChildProcess): void {
  // First of all listeners: one that was added with `once` is no longer counted after it ran.
  if (running.size === 0) for (const signal of SIGNALS) process.prependListener(signal, end)
  running.add(child)
  // An `error` alone means that it never started.
  for (const event of ["close", "error"]) child.once(event, () => forget(child))
}

function forget(child: ChildProcess): void {
  if (running.delete(child) && running.size === 0) for (const signal of SIGNALS) process.off(signal, end)
}

function end(signal: NodeJS.Signals): void {
  for (const child of running) {
    child.kill("SIGKILL")
    forget(child)
  }
  // If nobody else listens, the signal would have ended this process.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
}
