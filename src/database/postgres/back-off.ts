// Tries again while the server is away: soon at first, then less often, and at random, so that many processes don't all
// come back at the same moment.
import { performance } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"

const FIRST_MS = 50
const LONGEST_MS = 2_000

export interface Patience {
  /** How long to go on. */
  readonly forMs: number
  readonly mayTryAgain: (error: unknown) => boolean
  /** Ends the waiting; the last failure is thrown. */
  readonly signal: AbortSignal
}

export async function patiently<T>(
  work: () => Promise<T>,
  { forMs, mayTryAgain, signal }: Patience,
): Promise<T> {
  const since = performance.now()
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!mayTryAgain(error) || signal.aborted || performance.now() - since >= forMs) throw error
    }
    await backOff(attempt, signal)
  }
}

/** Returns early if the signal is aborted. */
export async function backOff(attempt: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random())
  await pause(ms, undefined, { signal }).catch(() => {})
}
