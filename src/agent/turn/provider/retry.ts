// Retries a call when the failure may pass: three times, after 1, 2 and 4 seconds, or as the provider asks. Waits are
// randomised, so that sessions which failed together do not come back together.
import { ModelFailure } from "./call.ts"
import { type Gate, LONGEST_WAIT_MS } from "./provider-gate.ts"

export interface RetryOptions {
  /** Resolves after `ms`, or rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
  /** The provider's gate. */
  readonly gate: Gate
  /** From 0 to 1. */
  readonly random: () => number
  /** Called before each wait. `attempt` is the one that failed, counted from 1. */
  readonly retrying: (failure: ModelFailure, attempt: number, waitMs: number) => void
}

const WAITS_MS: readonly number[] = [1_000, 2_000, 4_000]

export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await options.gate.pass(work, options.signal)
    } catch (error) {
      const waitMs = error instanceof ModelFailure ? waitFor(error, attempt, options.random) : undefined
      if (!(error instanceof ModelFailure) || waitMs === undefined) throw error
      options.retrying(error, attempt, waitMs)
      await options.wait(waitMs, options.signal).catch(() => {
        // Discards the partial answer, since a retry was already announced.
        throw new ModelFailure("stopped", "no answer was written yet")
      })
    }
  }
}

/** Returns undefined if another try is not worthwhile now. */
function waitFor(
  { isRetryable, retryAfterMs = 0 }: ModelFailure,
  attempt: number,
  random: () => number,
): number | undefined {
  const usual = WAITS_MS[attempt - 1]
  if (!isRetryable || usual === undefined || retryAfterMs > LONGEST_WAIT_MS) return undefined
  // Never sooner than the provider asks.
  return Math.max(usual, retryAfterMs) + Math.floor((random() * usual) / 2)
}

const QUEUE_MS: readonly number[] = [60_000, 120_000, 300_000, 600_000]
const MOST_QUEUE_MS = 900_000

/** How long an unanswered message waits in the queue before it is tried again. */
export function queueWait(
  attempts: number,
  { retryAfterMs = 0, random }: { readonly retryAfterMs?: number | undefined; readonly random: () => number },
): number {
  const usual = QUEUE_MS[attempts] ?? MOST_QUEUE_MS
  return Math.max(usual, retryAfterMs) + Math.floor((random() * usual) / 4)
}
