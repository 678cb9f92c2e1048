// Retries a failed start a few times, with growing pauses.
import type { Wait } from "./listening.ts"

/** Nine minutes in all: long enough for a service to come back, and little work if it never does. */
const PAUSES_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000]

export interface RetryOptions {
  /**
   * Returns whether it is over: done, or not worth another try. `pauseMs`: time until the next try; undefined at the
   * last.
   */
  readonly attempt: (pauseMs: number | undefined) => Promise<boolean>
  readonly wait: Wait
  readonly signal: AbortSignal
}

/** Resolves after the first attempt; the others run in the background. */
export async function withRetries(options: RetryOptions): Promise<void> {
  const pauses = PAUSES_MS.values()
  const pauseMs = pauses.next().value
  if (!(await options.attempt(pauseMs))) void follow(pauseMs, pauses, options)
}

async function follow(
  first: number | undefined,
  pauses: Iterator<number, undefined>,
  { attempt, wait, signal }: RetryOptions,
): Promise<void> {
  for (let pauseMs = first; pauseMs !== undefined; ) {
    await wait(pauseMs, signal).catch(() => undefined)
    if (signal.aborted) return
    pauseMs = pauses.next().value
    if (await attempt(pauseMs)) return
  }
}
