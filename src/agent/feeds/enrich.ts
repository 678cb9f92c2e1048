// A second opinion on how a message reads, from a model, and never in the way: it is begun with the message, and used
// only if it is there when it is asked for. What goes wrong is told as data; a turn never notices.
import { isSignal, type Signal } from "../../signal/signal.ts"

export type Enrichment =
  | { readonly kind: "classified"; readonly message: string; readonly signal: Signal }
  | { readonly kind: "failed"; readonly message: string; readonly error: string }
  /** Too many were under way already. */
  | { readonly kind: "skipped"; readonly message: string }

export interface Enricher {
  /** Begins with a message that is not known yet. */
  start(message: string): void
  /** What the model said of it, if it has. */
  signal(message: string): Signal | undefined
  /** When nothing is under way any more. */
  settled(): Promise<void>
}

export interface EnricherOptions {
  readonly classify: (message: string) => Promise<Signal | undefined>
  /** How many may be under way at once. */
  readonly limit?: number
  readonly tell?: (enrichment: Enrichment) => void
}

const DEFAULT_LIMIT = 2
/** Older ones are forgotten: their turns are over. */
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
      // It comes from a model, whatever the type says.
      if (!isSignal(signal)) throw new Error("the answer is no signal")
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
