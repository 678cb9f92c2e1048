// Two may change a session's state at once: the turn that is under way, and whoever asks for something meanwhile.
import type { SessionState, StateChange } from "./stored.ts"

/** What others set or took away meanwhile stays as they left it; all else is as the turn has it. */
export function mergedState(stored: SessionState, { was, now }: StateChange): SessionState {
  const [before, after] = [was, stored].map((state) => new Map(Object.entries(state)))
  const isTheirs = (key: string) => JSON.stringify(after?.get(key)) !== JSON.stringify(before?.get(key))
  return Object.fromEntries([
    ...Object.entries(now).filter(([key]) => !isTheirs(key)),
    ...Object.entries(stored).filter(([key]) => isTheirs(key)),
  ])
}
