// A gate in front of each provider, shared by all sessions of an agent. When a provider refuses a call because it is
// busy, the others wait instead of being refused too. The gate closes for as long as the provider asks, then admits as
// many concurrent calls as before the refusal: fewer after each refusal, one more after each good round. It admits
// everything until something is refused. See decision 0024.
import { ModelFailure } from "./call.ts"
import { orStopped } from "./or-stopped.ts"

export interface GateOptions {
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Gate {
  /** Waits for admission, then does the work. Throws `ModelFailure` if the wait would be too long or is stopped. */
  pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** A call that would wait longer goes to the queue instead. */
export const LONGEST_WAIT_MS = 30_000
/** For a refusal without a duration. Doubles while nothing gets through. */
const CLOSED_MS = 1_000

/** An agent's gates, by provider. */
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
  /** Concurrent calls; unlimited until one is refused. */
  let limit = Number.POSITIVE_INFINITY
  /** How many calls were running when the first one was refused. */
  let before = 0
  let underWay = 0
  let refusals = 0
  /** Counts closings: calls that were running when the gate closed tell nothing new. */
  let closings = 0
  let line: Promise<unknown> = Promise.resolve()
  let freed = Promise.withResolvers<void>()

  async function admit(signal: AbortSignal): Promise<void> {
    while (opensAt > now() || underWay >= Math.max(1, Math.floor(limit))) {
      const until = opensAt
      const left = until - now()
      if (left > LONGEST_WAIT_MS) throw busy(left)
      await (left > 0 ? wait(left, signal) : orStopped(freed.promise, signal))
      // The wait is over, even if the clock was set back.
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
    // A stopped call blocks nobody, and a later one waits behind those in line.
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
        // It may have been admitted just now.
        entering.then(
          () => free(),
          () => {},
        )
        throw signal.aborted ? new ModelFailure("stopped", "no answer was written yet") : error
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
  return new ModelFailure("limited", "the provider asked us to wait", { retryAfterMs })
}
