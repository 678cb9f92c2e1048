// Asks a model for a second reading of a message. It starts with the message, and the turn uses the answer only if it
// has arrived by then. Failures are reported as data and never reach the turn.
import { isSignal, type Signal } from "../../signal/signal.ts"

export type Enrichment =
  | { readonly kind: "classified"; readonly message: string; readonly signal: Signal }
  | { readonly kind: "failed"; readonly message: string; readonly error: string }
  /** Too many were running already. */
  | { readonly kind: "skipped"; readonly message: string }

export interface Enricher {
  /** Starts reading a message, unless that was done before. */
  start(message: string): void
  /** The model's reading, if it has arrived. */
  signal(message: string): Signal | undefined
  /** Resolves when no reading is running. */
  settled(): Promise<void>
}

export interface EnricherOptions {
  readonly classify: (message: string) => Promise<Signal | undefined>
  /** How many may run at once. */
  readonly limit?: number
  readonly tell?: (enrichment: Enrichment) => void
}

const DEFAULT_LIMIT = 2
/** Older readings are forgotten, since their turns are over. */
const REMEMBERED = 50

export function createEnricher({ classify, limit = DEFAULT_LIMIT, tell }: EnricherOptions): Enricher {
  const known = new Map<string, Signal>()
  const working = new Map<string, Promise<void>>()
  const remember = (message: string, signal: Signal) => {
    known.set(message, signal)
    const [oldest] = known.keys()
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
    tell?.({ kind: "classified", message, signal })
  }
  const work = async (message: string) => {
    try {
      const signal = await classify(message)
      if (signal === undefined) return
      // The value comes from a model, so the type guarantees nothing.
      if (!isSignal(signal)) throw new Error("the answer is not a signal")
      remember(message, signal)
    } catch (error) {
      tell?.({ kind: "failed", message, error: error instanceof Error ? error.message : String(error) })
    } finally {
      working.delete(message)
    }
  }
  return {
    start(message) {
      if (message.trim() === "" || known.has(message) || working.has(message)) return
      if (working.size >= limit) tell?.({ kind: "skipped", message })
      else working.set(message, work(message))
    },
    signal: (message) => known.get(message),
    settled: async () => {
      await Promise.all(working.values())
    },
  }
}
