// Who sends a message, and from where.

/** Who sent a message, and where. The owner in a direct conversation if every field is undefined. */
export interface Sender {
  readonly as?: string
  /** The identity on a channel, such as "telegram:4711", or the room. */
  readonly channel?: string
  /** In a room: the sender's own identity on the channel, which identifies them without `as`. */
  readonly sender?: string
  /** The owner at this machine's own terminal: a channel without an id, such as "telegram", only says where they would be. */
  readonly isLocal?: boolean
  readonly situation?: string
}

/** Where the sender is, as their device says. Becomes part of the facts in the prompt. */
export interface SenderLocale {
  /** Such as "Europe/Stockholm". */
  readonly timeZone?: string
  /** Such as "sv-SE,sv;q=0.9". */
  readonly language?: string
  /** Such as "Visby, Gotland". */
  readonly place?: string
}
