// A gate before each provider, which all sessions of an agent pass. Once a provider refuses a call because it is busy,
// the others wait instead of being refused as well: the gate closes for as long as the provider asks, and then lets
// through as many calls at once as it took before it refused, fewer after each refusal and one more after each round
// that went well. While nothing is refused it lets everything through. See decision 0024.
import { ModelFailure } from "../call.ts"

export interface GateOptions {
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Gate {
  /** Waits for its turn, then does the work. Throws `ModelFailure` if the wait would be too long, or is stopped. */
  pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Who would have to wait longer than this waits in the queue instead. */
export const LONGEST_WAIT_MS = 30_000
/** For a refusal that does not say how long. Doubles while nothing gets through. */
const CLOSED_MS = 1_000

/** The gates of an agent, by provider. */
export function createGates(options: GateOptions): (provider: string) => Gate {
  const gates = new Map<string, Gate>()
  return (provider) => {
    const gate = gates.get(provider) ?? createGate(options)
    gates.set(provider, gate)
    return gate
  }
}

export function createGate({ now, wait }: GateOptions): Gate {
  let opensAt = Number.NEGATIVE_INFINITY
  /** Calls at once; no limit until something is refused. */
  let limit = Number.POSITIVE_INFINITY
  /** How many calls were under way when the first of them was refused. */
  let before = 0
  let underWay = 0
  let refusals = 0
  /** Counts closings: calls that were under way when the gate closed say nothing new. */
  let closings = 0
  let line: Promise<unknown> = Promise.resolve()
  let freed = Promise.withResolvers<void>()

  async function admit(signal: AbortSignal): Promise<void> {
    while (opensAt > now() || underWay >= Math.max(1, Math.floor(limit))) {
      const until = opensAt
      const left = until - now()
      if (left > LONGEST_WAIT_MS) throw busy(left)
      await (left > 0 ? wait(left, signal) : orStopped(freed.promise, signal))
      // It was waited for, whatever the clock says: it may have been set back.
      if (left > 0 && opensAt === until) opensAt = Number.NEGATIVE_INFINITY
    }
    if (signal.aborted) throw signal.reason
    underWay += 1
  }

  function enter(signal: AbortSignal): Promise<void> {
    if (limit === Number.POSITIVE_INFINITY && opensAt <= now()) {
      underWay += 1
      return Promise.resolve()
    }
    if (opensAt - now() > LONGEST_WAIT_MS) return Promise.reject(busy(opensAt - now()))
    // Whoever stops keeps nobody waiting, and whoever comes later waits behind those who are there.
    const admitted = line.then(() => (signal.aborted ? Promise.reject(signal.reason) : admit(signal)))
    line = admitted.catch(() => undefined)
    return admitted
  }

  function free(failure?: ModelFailure, closing = closings): void {
    underWay -= 1
    if (failure !== undefined && isBusy(failure)) close(failure, closing)
    freed.resolve()
    freed = Promise.withResolvers()
  }

  function close({ retryAfterMs }: ModelFailure, closing: number): void {
    if (closing === closings) {
      before = Math.max(before, underWay + 1)
      limit = Math.max(1, Math.min(limit, underWay + 1) / 2)
      refusals += 1
      closings += 1
    }
    const usual = Math.min(LONGEST_WAIT_MS, CLOSED_MS * 2 ** (refusals - 1))
    opensAt = Math.max(opensAt, now() + (retryAfterMs ?? usual))
  }

  function succeed(): void {
    refusals = 0
    limit += 1 / limit
    if (limit >= before) [limit, before] = [Number.POSITIVE_INFINITY, 0]
  }

  return {
    async pass(work, signal) {
      const entering = enter(signal)
      await orStopped(entering, signal).catch((error: unknown) => {
        // It may have been let in just now.
        entering.then(
          () => free(),
          () => {},
        )
        throw signal.aborted ? new ModelFailure("stopped", "nothing was answered yet") : error
      })
      const closing = closings
      try {
        const result = await work()
        succeed()
        free()
        return result
      } catch (error) {
        free(error instanceof ModelFailure ? error : undefined, closing)
        throw error
      }
    },
  }
}

function isBusy({ kind }: ModelFailure): boolean {
  return kind === "limited" || kind === "overloaded"
}

function busy(retryAfterMs: number): ModelFailure {
  return new ModelFailure("limited", "the provider asked to wait", { retryAfterMs })
}

/** Rejects as soon as the signal is aborted, however long the other takes. */
async function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
