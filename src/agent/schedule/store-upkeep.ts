// Prunes the agent's store to the configured age while an agent is open: at the start, then daily. Without a configured
// age, conversations stay until the user prunes them.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import { quietly } from "../../database/tolerate.ts"

const DAY_MS = 86_400_000

export function startStoreUpkeep(
  { upkeep }: Pick<AgentStore, "upkeep">,
  olderThanMs: number | undefined,
): { stop(): void } {
  if (olderThanMs === undefined) return { stop: () => {} }
  // A failed round is tried again the next day, and nothing waits for it.
  const round = () => void quietly(() => upkeep.prune({ olderThanMs }))
  round()
  const timer = setInterval(round, DAY_MS).unref()
  return { stop: () => clearInterval(timer) }
}
