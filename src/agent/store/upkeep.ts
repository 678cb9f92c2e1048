// Prunes the agent's store to the configured age while an agent is open: at the start, then daily. Without a configured
// age, conversations stay until the user prunes them.
import { pruneStore } from "./retention.ts"
import type { Store } from "./stored.ts"
import { quietly } from "./tolerate.ts"

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
  // A failed round is tried again the next day, and nothing waits for it.
  const round = () => quietly(() => pruneStore(database, { olderThanMs, now: now() }))
  round()
  const timer = setInterval(round, DAY_MS).unref()
  return { stop: () => clearInterval(timer) }
}
