// Two may change a session's state at once: the turn that is under way, and whoever asks for something meanwhile.
import type { SessionState, StateChange } from "./stored.ts"

/** What others set meanwhile stays as they left it; all else is as the turn has it. */
export function mergedState(stored: SessionState, { was, now }: StateChange): SessionState {
  const before = new Map(Object.entries(was))
  const theirs = Object.entries(stored).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key)),
  )
  return { ...now, ...Object.fromEntries(theirs) }
}
