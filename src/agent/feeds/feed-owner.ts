// Whose state a feeder reads and writes. Everything is stored and read by agent and `who` together, so that one
// person's data never reaches another.
import type { Whose } from "../../database/contract/people.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"

export interface FeedOwner extends Whose {
  readonly now: () => number
}

/** A single, known person. Nothing is learned from a room or from unknown senders on a channel. */
export function isOnePerson(who: string): boolean {
  return !who.startsWith("room:") && !who.startsWith("unknown:")
}

/** Whose task list a session uses. A delegated part has a separate one and leaves the person's alone. */
export function taskListOf({ id, mode, who }: Pick<StoredSession, "id" | "mode" | "who">): string {
  return mode === "subagent" ? `part:${id}` : who
}
