// What the server is doing now: requests being answered, and whether it is stopping.

/** Counts requests, and ends them when the server stops. */
export interface Traffic {
  readonly inFlight: number
  readonly isDraining: boolean
  /** Aborted when the time for draining is over. */
  readonly signal: AbortSignal
  begin(): void
  end(): void
  /** Takes no further requests. Resolves when the last answer is complete; after `ms`, ends the rest. */
  drain(ms: number): Promise<void>
}

export function createTraffic(): Traffic {
  const stop = new AbortController()
  const empty = Promise.withResolvers<void>()
  let inFlight = 0
  let isDraining = false
  return {
    get inFlight() {
      return inFlight
    },
    get isDraining() {
      return isDraining
    },
    signal: stop.signal,
    begin() {
      inFlight += 1
    },
    end() {
      inFlight -= 1
      if (isDraining && inFlight === 0) empty.resolve()
    },
    async drain(ms) {
      isDraining = true
      if (inFlight === 0) return
      const timer = setTimeout(() => {
        stop.abort(new Error("the server is stopping"))
        empty.resolve()
      }, ms)
      await empty.promise
      clearTimeout(timer)
    },
  }
}
