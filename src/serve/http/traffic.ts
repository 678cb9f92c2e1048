// What the server is doing now: requests being answered, what each caller has in use, and whether it is stopping.

/** How much a caller, or a group of callers, may have in use at the same time. */
export interface Share {
  readonly key: string
  readonly requests: number
  readonly bytes: number
}

/** What one request has in use. */
export interface Held {
  /** Counts the request for these; false if one of them has as many as it may. */
  open(shares: readonly Share[]): boolean
  /** Counts bytes of its body for the same; false if one of them has as many as it may. */
  take(bytes: number): boolean
  /** Gives the bytes back. */
  free(): void
  /** Gives everything back. */
  end(): void
}

/** Counts requests, and ends them when the server stops. */
export interface Traffic {
  readonly inFlight: number
  readonly isDraining: boolean
  /** Aborted when the time for draining is over. */
  readonly signal: AbortSignal
  begin(): Held
  /** Takes no further requests. Resolves when the last answer is complete; after `ms`, ends the rest. */
  drain(ms: number): Promise<void>
}

export function createTraffic(): Traffic {
  const stop = new AbortController()
  const empty = Promise.withResolvers<void>()
  let inFlight = 0
  let isDraining = false
  const used = new Map<string, Used>()
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
      return holdIn(used, () => {
        inFlight -= 1
        if (isDraining && inFlight === 0) empty.resolve()
      })
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

interface Used {
  requests: number
  bytes: number
}

function holdIn(used: Map<string, Used>, ended: () => void): Held {
  let held: readonly Share[] = []
  let bytes = 0
  let isOver = false
  const usedBy = ({ key }: Share): Used => used.get(key) ?? { requests: 0, bytes: 0 }
  const change = (by: Used) => {
    for (const share of held) {
      const now = usedBy(share)
      const next = { requests: now.requests + by.requests, bytes: now.bytes + by.bytes }
      if (next.requests === 0) used.delete(share.key)
      else used.set(share.key, next)
    }
  }
  const free = () => {
    change({ requests: 0, bytes: -bytes })
    bytes = 0
  }
  return {
    open(shares) {
      // Nobody would give it back.
      if (isOver) return true
      if (shares.some((share) => usedBy(share).requests >= share.requests)) return false
      held = shares
      change({ requests: 1, bytes: 0 })
      return true
    },
    take(more) {
      if (isOver) return true
      if (held.some((share) => usedBy(share).bytes + more > share.bytes)) return false
      bytes += more
      change({ requests: 0, bytes: more })
      return true
    },
    free,
    end() {
      free()
      change({ requests: -1, bytes: 0 })
      held = []
      isOver = true
      ended()
    },
  }
}
