// Keeps the agent's store to the age that is configured while an agent is open: once at the start, then daily. Without a
// configured age conversations stay until somebody prunes them.
import { IncipitError } from "../../core/error.ts"
import { isFromDatabase } from "../../sqlite/failure.ts"
import { pruneStore } from "./retention.ts"
import type { Store } from "./stored.ts"

export interface StoreUpkeepOptions {
  readonly olderThanMs: number | undefined
  readonly now: () => number
}

const DAY_MS = 86_400_000

export function startStoreUpkeep(
  { database }: Store,
  { olderThanMs, now }: StoreUpkeepOptions,
): { stop(): void } {
  if (olderThanMs === undefined) return { stop: () => {} }
  const round = () => {
    try {
      pruneStore(database, { olderThanMs, now: now() })
    } catch (error) {
      // It is tried again tomorrow, and nothing else waits for it.
      if (!isFromDatabase(error) && !(error instanceof IncipitError)) throw error
    }
  }
  round()
  const timer = setInterval(round, DAY_MS).unref()
  return { stop: () => clearInterval(timer) }
}
