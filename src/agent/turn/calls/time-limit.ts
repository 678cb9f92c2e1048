// How long a tool may run. The time a person takes to answer a question does not count: a yes may come after lunch.

export interface TimeLimit {
  /** Aborted when the time is up. */
  readonly signal: AbortSignal
  /** Resolves when the time is up; never, if the tool ends before. */
  readonly late: Promise<void>
  /** Pauses the limit while asking; afterwards the full time is available again. */
  without<T>(asking: () => Promise<T>): Promise<T>
  /** How long it was paused. */
  pausedMs(): number
  end(): void
}

export function timeLimit(ms: number, now: () => number): TimeLimit {
  const up = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  let asked = 0
  let [paused, since] = [0, 0]
  let isEnded = false
  const start = () => {
    timer = setTimeout(() => {
      up.abort()
      resolve()
    }, ms)
  }
  start()
  return {
    signal: up.signal,
    late,
    async without(asking) {
      if (asked === 0) since = now()
      asked += 1
      clearTimeout(timer)
      try {
        return await asking()
      } finally {
        asked -= 1
        if (asked === 0) paused += now() - since
        if (asked === 0 && !isEnded) start()
      }
    },
    pausedMs: () => paused,
    end() {
      isEnded = true
      clearTimeout(timer)
    },
  }
}
