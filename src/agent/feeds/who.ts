// Whose a feeder's state is. Everything that is kept is kept for one agent and one `who`, and is asked for by both, so
// that nothing of one person reaches another.
import type { StoredSession } from "../store/stored.ts"

export interface Keeping {
  readonly agent: string
  /** `person:` with the id, `owner`, `room:` with the room's, or `unknown:` with the channel. */
  readonly who: string
  readonly now: () => number
}

/** One person, who is known. What is learned of somebody must not come from a room or from whoever writes on a channel. */
export function isOnePerson(who: string): boolean {
  return !who.startsWith("room:") && !who.startsWith("unknown:")
}

/** Whose list of tasks a session reads and writes: a part has one of its own, and leaves the person's alone. */
export function taskListOf({ id, mode, who }: Pick<StoredSession, "id" | "mode" | "who">): string {
  return mode === "subagent" ? `part:${id}` : who
}
