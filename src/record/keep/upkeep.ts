// Keeps the record within its size and age limits while a program runs: once at the start, then daily, on its own
// connection.
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import type { PruneOptions, PruneReport } from "../../database/contract/record/upkeep.ts"
import { openRecordFile } from "../../database/sqlite/record/open-record.ts"

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

const DAY_MS = 86_400_000
const USUAL_AGE_MS = 30 * DAY_MS

/** Removes what is too old, or more than the limit, from a record. */
export function prune(store: RecordStore, options: PruneOptions): Promise<PruneReport> {
  return store.upkeep.prune(options)
}

/** Prunes a record now and once a day until it is stopped. `place`: the path of a file, or how to open the record. */
export function startUpkeep(place: string | (() => Promise<RecordStore>), options: UpkeepOptions): Upkeep {
  const { olderThanMs = USUAL_AGE_MS, maxBytes, now, tell } = options
  const open = typeof place === "string" ? async () => openRecordFile(place) : place
  const round = async () => {
    try {
      const store = await open()
      try {
        // Not inside the call of `tell`: without `tell`, nothing would be pruned.
        const report = await prune(store, {
          olderThanMs,
          ...(maxBytes !== undefined && { maxBytes }),
          now: now(),
        })
        tell?.(report)
      } finally {
        await store.close()
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
