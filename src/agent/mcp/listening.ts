// Keeps listening for changes of a server's tools. Under the newer protocol a server tells only whoever has asked for
// it, on a stream that proxies cut and restarts end; it is opened again after a while, and given up if that keeps failing.
import type { Secrets } from "../../record/redact/secrets.ts"
import { reasonOf } from "./text.ts"

/** Waits, unless the signal comes first: then it rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export interface ListeningOptions {
  /** Begins to listen. What it gives resolves when that has ended. */
  readonly open: () => Promise<{ readonly closed: Promise<unknown> }>
  /** It listens, for the first time or again: what changed before that was not heard. */
  readonly listens: () => void
  readonly detail: (text: string) => void
  readonly wait: Wait
  readonly signal: AbortSignal
  readonly secrets: Pick<Secrets, "redact">
}

const PAUSE_MS = 5_000
const MOST_PAUSE_MS = 300_000
const MOST_FAILURES = 8

/** Resolves when it is over, and never rejects. */
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
      // The server's fault or the network's: its tools stay as they are.
      failures += 1
      detail(`does not tell of changes to its tools: ${reasonOf(error, secrets.redact)}`)
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
