// Shrinking the store: finished conversations by age, and everything that is stored about one person.

export interface PruneOptions {
  readonly olderThanMs: number
  /** Removes nothing; the report is the same. */
  readonly isDry?: boolean
}

export interface PruneReport {
  /** Whole conversations. */
  readonly sessions: number
  /** Messages with their answers, including those of conversations that stay. */
  readonly turns: number
  /** Parts of transcripts. */
  readonly items: number
  readonly notices: number
}

export interface EraseReport extends PruneReport {
  /** The ids of their sessions, as the record has them. */
  readonly ids: readonly string[]
  readonly tasks: number
  /** Conversations in rooms, which are kept. */
  readonly rooms: number
}

export interface Upkeep {
  /**
   * Removes what serving leaves behind and nobody asks for any more: what was sent a month ago, keys and codes that have
   * expired, what was spent before the last month. No conversation changes.
   */
  sweep(): Promise<void>
  /** Keeps waiting messages, undelivered answers, everyone's current session, tasks and plans. */
  prune(options: PruneOptions): Promise<PruneReport>
  /**
   * Erases everything, even what waits: transcripts with their files, tasks, notices, the current workflow, the writing
   * profile, tokens, paired senders, and what is to be sent to them.
   */
  erase(whose: readonly string[], options?: Pick<PruneOptions, "isDry">): Promise<EraseReport>
  /** Gives the space of removed rows back. `thoroughly`: nothing of them is left in the files. */
  shrink(options?: { readonly thoroughly?: boolean }): Promise<void>
}
