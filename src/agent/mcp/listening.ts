// Keeps listening for changes to a server's tools. Under the newer protocol, a server reports changes only on a stream
// that the client opened, which proxies cut and restarts end. The stream is opened again after a pause, and given up if
// that keeps failing.
import type { Secrets } from "../../record/redact/secrets.ts"
import { reasonOf } from "./text.ts"

/** Resolves after `ms`, or rejects if the signal comes first. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export interface ListeningOptions {
  /** Starts to listen; `closed` resolves when the stream has ended. */
  readonly open: () => Promise<{ readonly closed: Promise<unknown> }>
  /** Listening has started, or started again: earlier changes were missed. */
  readonly listens: () => void
  readonly detail: (text: string) => void
  readonly wait: Wait
  readonly signal: AbortSignal
  readonly secrets: Pick<Secrets, "redact">
}

const PAUSE_MS = 5_000
const MOST_PAUSE_MS = 300_000
const MOST_FAILURES = 8

/** Resolves when it is over and never rejects. */
export async function keepListening({
  open,
  listens,
  detail,
  wait,
  signal,
  secrets,
}: ListeningOptions): Promise<void> {
  for (let failures = 0; ; ) {
    try {
      const { closed } = await open()
      failures = 0
      listens()
      await closed
    } catch (error) {
      // The server or the network failed; the tools stay as they are.
      failures += 1
      detail(`does not report changes to its tools: ${reasonOf(error, secrets.redact)}`)
    }
    if (signal.aborted || failures === MOST_FAILURES) return
    if (!(await isOver(wait(pauseAfter(failures), signal)))) return
  }
}

function pauseAfter(failures: number): number {
  return Math.min(PAUSE_MS * 2 ** failures, MOST_PAUSE_MS)
}

function isOver(waited: Promise<void>): Promise<boolean> {
  return waited.then(
    () => true,
    () => false,
  )
}
