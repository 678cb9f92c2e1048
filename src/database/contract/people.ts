// What the store keeps for one person or room with one agent, across conversations: the place in a workflow, how they
// write, the bulletin and notices. Tasks are in tasks.ts.
import type { Trust } from "../../base/trust.ts"

/** Whose it is. */
export interface Whose {
  readonly agent: string
  /** `person:` and the id, `owner`, `room:` and the room's id, or `unknown:` and the channel. */
  readonly who: string
}

export interface StoredPlace {
  readonly name: string
  /** From 1. */
  readonly current: number
  /** The text of the step, which finds the place again if the file has changed. */
  readonly step: string
}

/** The workflow that somebody is in; one at a time. */
export interface WorkflowPlaces {
  get(whose: Whose): Promise<StoredPlace | undefined>
  put(whose: Whose, place: StoredPlace): Promise<void>
  /** Replaces the place, or removes it. Returns false if it is no longer the one that was expected. */
  move(whose: Whose, from: StoredPlace, to: StoredPlace | undefined): Promise<boolean>
  /** Returns false if there was none. */
  remove(whose: Whose): Promise<boolean>
}

/** What was learned about how a person writes: JSON of the feeder that learns it. */
export interface WritingHabits {
  read(whose: Whose): Promise<string | undefined>
  /** Returns false if what is stored is no longer what was expected. */
  replace(whose: Whose, expected: string | undefined, json: string): Promise<boolean>
  erase(whose: Whose): Promise<void>
}

export interface StoredBulletin {
  readonly at: number
  readonly lines: readonly string[]
  /** Digests of the entries that it is made from. */
  readonly entries: readonly string[]
  readonly by: "model" | "rule"
}

export interface WhoseAtTrust extends Whose {
  readonly trust: Trust
}

export interface Bulletins {
  read(whose: WhoseAtTrust): Promise<StoredBulletin | undefined>
  write(whose: WhoseAtTrust, bulletin: Omit<StoredBulletin, "at">): Promise<void>
  remove(whose: WhoseAtTrust): Promise<void>
  /** At every trust. */
  erase(whose: Whose): Promise<void>
}

export interface NewNotice extends WhoseAtTrust {
  readonly session: string
  readonly text: string
}

export interface StoredNotice {
  readonly at: number
  readonly text: string
}

/** Messages to a person outside of a conversation. `trust`: that of the conversation that they came from. */
export interface Notices {
  add(notice: NewNotice): Promise<void>
  /** The newest notices that this trust may see, oldest first; marks them as seen. */
  see(whose: WhoseAtTrust): Promise<readonly (StoredNotice & { readonly isNew: boolean })[]>
  /** The newest one, seen or not. */
  last(whose: Whose): Promise<StoredNotice | undefined>
}
