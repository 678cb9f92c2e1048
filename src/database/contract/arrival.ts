// Something that came in over a channel, as the channel identifies it.

/** Something that a channel delivered. */
export interface Arrival {
  /** The name of the channel in the configuration. */
  readonly channel: string
  /** The channel's id for it: the same one is taken once. */
  readonly id: string
  /** From where the channel is read next. Stored with the arrival, for known ones too. */
  readonly offset?: string | undefined
  /** Where its answer goes, as JSON of the channel. */
  readonly replyTo?: string | undefined
}
