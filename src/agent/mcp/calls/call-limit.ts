// How long a call may take. Progress begins the time anew, up to a maximum, and the time that a person takes to answer a
// question of the server does not count.

export interface CallLimit {
  /** Aborted when the time is up, or when the caller stops. */
  readonly signal: AbortSignal
  /** The server says that it is at work. */
  progressed(): void
  /** Pauses while a person is asked. */
  without<T>(asking: () => Promise<T>): Promise<T>
  end(): void
}

/** So often may a call take its time again, as long as it reports progress. */
const MOST_TIMES = 10
const MOST_MS = 2 ** 31 - 1

export function callLimit(ms: number, stop: AbortSignal | undefined): CallLimit {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error("the caller stopped waiting"))
  let left = Math.min(ms * MOST_TIMES, MOST_MS)
  let timer: NodeJS.Timeout | undefined
  let since = performance.now()
  let asking = 0
  const pause = () => {
    clearTimeout(timer)
    left -= performance.now() - since
  }
  const start = () => {
    since = performance.now()
    timer = setTimeout(abort, Math.max(0, Math.min(ms, left)))
  }
  start()
  // A separate signal for each call, so that a finished call leaves no listener behind.
  stop?.addEventListener("abort", abort)
  if (stop?.aborted) abort()
  return {
    signal: controller.signal,
    progressed() {
      if (asking > 0) return
      pause()
      start()
    },
    async without(ask) {
      if (asking === 0) pause()
      asking += 1
      try {
        return await ask()
      } finally {
        asking -= 1
        if (asking === 0) start()
      }
    },
    end() {
      // Nothing starts it again.
      asking = Number.POSITIVE_INFINITY
      clearTimeout(timer)
      stop?.removeEventListener("abort", abort)
    },
  }
}
