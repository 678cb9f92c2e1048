// Keeps the agent's store small while an agent is open: at the start, then daily. Removes what has expired, and prunes
// conversations to the configured age. Without one, they stay until the user prunes them.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import { quietly } from "../../database/tolerate.ts"

const DAY_MS = 86_400_000

export function startStoreUpkeep(
  { upkeep }: Pick<AgentStore, "upkeep">,
  olderThanMs: number | undefined,
): { stop(): void } {
  // A failed round is tried again the next day, and nothing waits for it.
  const round = () =>
    void quietly<unknown>(() => (olderThanMs === undefined ? upkeep.sweep() : upkeep.prune({ olderThanMs })))
  round()
  const timer = setInterval(round, DAY_MS).unref()
  return { stop: () => clearInterval(timer) }
}
