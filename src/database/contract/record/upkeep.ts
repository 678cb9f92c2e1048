// Keeping a record within its limits. The sums of costs stay, whatever is removed.

/** How old and how large a record may become. */
export interface PruneOptions {
  readonly olderThanMs?: number
  /** For the file, its log and the log's index together; on a server, for the record's tables. */
  readonly maxBytes?: number
  readonly now: number
}

/** What was removed from a record. */
export interface PruneReport {
  readonly events: number
  readonly receipts: number
  readonly texts: number
  /** Of the file, its log and the log's index. */
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Whether the log was checkpointed completely; a reader in another process can prevent that. */
  readonly isLogEmpty: boolean
}

export interface RecordUpkeep {
  /**
   * Removes what is too old or too much. A trace is removed completely or not at all; with the last event of a turn go
   * its receipts and what only they refer to.
   */
  prune(options: PruneOptions): Promise<PruneReport>
  /** Removes all events and receipts of these sessions, whatever their age. */
  forget(sessions: readonly string[]): Promise<Pick<PruneReport, "events" | "receipts">>
  /** `logBytes`: of a log that is not part of it yet. */
  sizes(): Promise<{ readonly bytes: number; readonly logBytes: number }>
}
