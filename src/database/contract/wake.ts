// Wake-ups: other processes have changed something that somebody here may wait for. They only save time: what they are
// about is in the store, whoever missed one finds it at the next look.

export const WAKE_KINDS = ["message", "delivery", "stop", "approval", "configuration"] as const
/**
 * `message`: a message waits, a turn has ended, or a session is free. `delivery`: something is to be sent over a channel.
 * `stop`: a turn is to be stopped. `approval`: a question was asked or answered. `configuration`: the schedule has changed.
 */
export type WakeKind = (typeof WAKE_KINDS)[number]

export interface Wake {
  readonly kind: WakeKind
  /** Undefined if it may be any. */
  readonly session?: string | undefined
}

export interface WakeUps {
  /**
   * Whether changes of other processes cause wake-ups at all. If not, look often; if so, now and then is enough, for those
   * that were missed.
   */
  readonly areSent: boolean
  /** Returns how to end it. Changes of this process may cause wake-ups, too. */
  listen(listener: (wake: Wake) => void): () => void
}

/** For a store whose processes look for themselves. */
export const NO_WAKE_UPS: WakeUps = { areSent: false, listen: () => () => {} }
