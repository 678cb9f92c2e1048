// Reads a stream that may not end when it is stopped.
import { orStopped } from "./or-stopped.ts"

/** Rejects as soon as the signal is aborted; a stream that opens later is closed. */
export async function readStream<T>(
  opening: Promise<ReadableStream<T>>,
  signal: AbortSignal,
  hear: (part: T) => void,
): Promise<void> {
  const stream = await orStopped(opening, signal).catch((error: unknown) => {
    opening.then(cancel, () => {})
    throw error
  })
  const reader = stream.getReader()
  let isStopped = false
  const stop = () => {
    isStopped = true
    cancel(reader)
  }
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isStopped) throw signal.reason
      if (done) return
      hear(value)
    }
  } finally {
    signal.removeEventListener("abort", stop)
    cancel(reader)
  }
}

/** Whoever cancels needs no more of it, its errors included. */
function cancel(stream: Pick<ReadableStream, "cancel">): void {
  stream.cancel().catch(() => {})
}
