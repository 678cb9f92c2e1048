// Keeps the agent's store to the age that is configured while an agent is open: once at the start, then daily. Without a
// configured age conversations stay until somebody prunes them.
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
  // What fails is tried again tomorrow, and nothing else waits for it.
  const round = () => quietly(() => pruneStore(database, { olderThanMs, now: now() }))
  round()
  const timer = setInterval(round, DAY_MS).unref()
  return { stop: () => clearInterval(timer) }
}
