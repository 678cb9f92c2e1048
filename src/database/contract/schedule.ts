// The part of the schedule that is stored: entries that the agent added, since when each entry counts, and which of its
// runs were claimed. `Inbox.receive` claims a run. Several processes may use it at once; a run is claimed once.

export interface AddedEntry {
  readonly id: string
  readonly cron: string
  readonly run: string
}

/** A run that was claimed. */
export interface TakenRun {
  readonly due: number
  readonly turn: string
  /** The state of its message in the queue; `taken` if the queue has none. */
  readonly state: string
}

export interface StoredSchedule {
  /** In the order in which they were added. */
  added(agent: string): Promise<readonly AddedEntry[]>
  /** Returns the entry, which may have existed before. */
  add(agent: string, entry: Omit<AddedEntry, "id">): Promise<AddedEntry>
  /** Returns false if there was none. */
  remove(agent: string, id: string): Promise<boolean>
  /**
   * Up to when the runs of each entry are settled: claimed, skipped, or before the entry counted. An entry counts since
   * it was added, or since the first call of this that names it.
   */
  settled(agent: string, entries: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Forgets all other entries: one that is configured again later is a new one. */
  keepOnly(agent: string, entries: readonly string[]): Promise<void>
  last(agent: string, entry: string): Promise<TakenRun | undefined>
}

/** How far the clocks of two processes may differ. Later times come from a clock that was wrong. */
export const CLOCK_GRACE_MS = 24 * 3_600_000
