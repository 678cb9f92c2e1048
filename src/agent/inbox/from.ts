// Who sends a message, and from where.

/** The owner in a direct conversation if every field is absent. */
export interface From {
  readonly as?: string
  /** The identity on a channel, such as "telegram:4711", or the room. */
  readonly channel?: string
  /** In a room: the sender's own identity on the channel, by which they are known if `as` is not said. */
  readonly sender?: string
  readonly situation?: string
}
