// What is to be sent over channels, until it was sent. Each is sent at least once, with an id by which the receiver can
// drop a double. Those for one place are sent in order.

export interface NewDelivery {
  /** Stays the same with every attempt. */
  readonly id: string
  readonly channel: string
  /** Where to, by a name that is no secret: secrets are removed from what is stored. */
  readonly to: string
  /** What to send, as JSON of the channel. */
  readonly body: string
  /** The turn whose answer it is a part of: it is kept and removed with it. */
  readonly turn?: string | undefined
}

export interface Delivery extends NewDelivery {
  readonly at: number
  /** With this one. */
  readonly attempts: number
}

export interface StoredDelivery extends Delivery {
  readonly state: "waiting" | "delivered" | "given-up"
  readonly notBefore: number
  readonly error: string | undefined
  /** The channel's id for what was sent. */
  readonly sentAs: string | undefined
}

export interface FailedAttempt {
  readonly error: string
  /** Undefined to give up. */
  readonly retryInMs?: number | undefined
}

export interface Deliveries {
  /** Stores each once, all or none. */
  add(deliveries: readonly NewDelivery[]): Promise<void>
  /**
   * The oldest one that is due and follows no unsent one to the same place. No other process gets it for `leaseMs`, after
   * which it is due again.
   */
  take(channel: string, leaseMs: number): Promise<Delivery | undefined>
  /** Returns false if it was delivered or given up before. */
  delivered(id: string, sentAs?: string): Promise<boolean>
  failed(id: string, attempt: FailedAttempt): Promise<void>
  get(id: string): Promise<StoredDelivery | undefined>
  /** The delivery that the channel knows under this id, for replies and buttons. */
  sentAs(channel: string, id: string): Promise<StoredDelivery | undefined>
  /** In how many milliseconds the next one is due; 0 if one is, undefined if none waits. */
  nextDueInMs(channel: string): Promise<number | undefined>
}
