// Work on a file that another process may have locked. What meets the lock waits in one line, and only the first in it
// tries again, after a short random pause: a locked file never blocks the event loop, and work keeps its order.
import { performance } from "node:perf_hooks"
import { setImmediate as letOthersRun, setTimeout as pause } from "node:timers/promises"
import { isBusy } from "./failure.ts"

/** Runs `work` now, or once those before it have run. Throws the failure if the lock outlasts the wait. */
export type BusyLine = <T>(work: () => T) => Promise<T>

/** Far longer than any of our transactions. */
const WAIT_MS = 10_000
const PAUSE_MS = 10

/** Work in the line. Returns false if the file is still locked and there is time left. */
type Attempt = () => boolean

export function createBusyLine(waitMs = WAIT_MS): BusyLine {
  const line: Attempt[] = []
  let isServed = false
  const serve = async () => {
    if (isServed) return
    isServed = true
    while (line.length > 0) {
      // Random, so that processes do not keep colliding.
      await pause(PAUSE_MS * (0.5 + Math.random()))
      // One at a time, so that what was waiting does not block the loop when the lock is gone.
      while (line[0]?.() === true) {
        line.shift()
        await letOthersRun()
      }
    }
    isServed = false
  }
  return async (work) => {
    if (line.length === 0) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw error
      }
    }
    const { promise, attempt } = attemptsAt(work, waitMs)
    line.push(attempt)
    void serve()
    return promise
  }
}

function attemptsAt<T>(
  work: () => T,
  waitMs: number,
): { readonly promise: Promise<T>; readonly attempt: Attempt } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const since = performance.now()
  const attempt = () => {
    try {
      resolve(work())
    } catch (error) {
      if (isBusy(error) && performance.now() - since < waitMs) return false
      reject(error)
    }
    return true
  }
  return { promise, attempt }
}
