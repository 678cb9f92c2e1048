// Keeps the record within its size and age limits while a program runs: once at the start, then daily, on its own
// connection.
import { retryWhileBusy } from "../../database/sqlite/failure.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import { RECORD_MIGRATIONS } from "../write/schema.ts"
import { type PruneReport, prune } from "./retention.ts"

/** How old and how large a record may become, and who hears about it. */
export interface UpkeepOptions {
  /** Default: 30 days. */
  readonly olderThanMs?: number
  readonly maxBytes?: number
  readonly now: () => number
  /** Receives the result of each round: a report or an error. A record that cannot be pruned stops nothing. */
  readonly tell?: (outcome: PruneReport | Error) => void
}

/** The upkeep of a record; stop it before the program ends. */
export interface Upkeep {
  /** Resolves when the round at the start is over. */
  readonly first: Promise<void>
  stop(): void
}

const WAIT_MS = 5
const DAY_MS = 86_400_000
const USUAL_AGE_MS = 30 * DAY_MS

/** Prunes a record now and once a day until it is stopped. */
export function startUpkeep(path: string, options: UpkeepOptions): Upkeep {
  const { olderThanMs = USUAL_AGE_MS, maxBytes, now, tell } = options
  const round = async () => {
    try {
      // A statement blocks the whole process while it waits, so it waits briefly and is retried.
      const database = await retryWhileBusy(() =>
        openDatabase(path, { migrations: RECORD_MIGRATIONS, wait: WAIT_MS }),
      )
      try {
        // Not inside the call of `tell`: without `tell`, nothing would be pruned.
        const report = await prune(database, {
          olderThanMs,
          ...(maxBytes !== undefined && { maxBytes }),
          now: now(),
        })
        tell?.(report)
      } finally {
        database.close()
      }
    } catch (error) {
      tell?.(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const timer = setInterval(() => void round(), DAY_MS)
  // The timer must not keep the process alive.
  timer.unref()
  return { first: round(), stop: () => clearInterval(timer) }
}
