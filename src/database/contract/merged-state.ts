// Merges a session's state when two writers change it at once: the running turn and a caller of the agent.
import type { SessionState, StateChange } from "./sessions.ts"

/** What others set or removed in the meantime stays; everything else is as the turn has it. */
export function mergedState(stored: SessionState, { was, now }: StateChange): SessionState {
  const [before, after] = [was, stored].map((state) => new Map(Object.entries(state)))
  const isTheirs = (key: string) => JSON.stringify(after?.get(key)) !== JSON.stringify(before?.get(key))
  return Object.fromEntries([
    ...Object.entries(now).filter(([key]) => !isTheirs(key)),
    ...Object.entries(stored).filter(([key]) => isTheirs(key)),
  ])
}
