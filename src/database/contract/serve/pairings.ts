// Pairing: how a sender on a channel becomes a user. A stranger gets a code, and the owner confirms it. The store has
// only the SHA-256 of a code.

/** Somebody on a channel, such as 4711 on telegram. */
export interface ChannelSender {
  readonly channel: string
  /** The sender's id on the channel. */
  readonly sender: string
}

export interface NewPairing extends ChannelSender {
  /** SHA-256 of the code, in hexadecimal. */
  readonly hash: string
  /** What the channel calls the sender. Chosen by them, so it proves nothing. */
  readonly label?: string | undefined
  readonly expiresInMs: number
  /** The most codes that may be open on this channel at once. */
  readonly mostOpen: number
  /**
   * Gives a sender whose code is still open this one instead: the first may not have reached them. So a code need not be
   * stored in clear until it is sent.
   */
  readonly replaces?: boolean | undefined
}

/** A code that the owner has not answered yet. */
export interface OpenPairing extends ChannelSender {
  readonly label: string | undefined
  readonly at: number
  readonly expiresAt: number
}

export interface PairedSender extends ChannelSender {
  readonly user: string
  readonly at: number
}

/**
 * `opened`: give the sender this code. `pending`: they have one that is still open. `too-many`: the channel has as many
 * open codes as it may. `code-taken`: another sender has this code; choose another. `denied` and `paired`: the owner has
 * decided before.
 */
export type PairingAsked = "opened" | "pending" | "too-many" | "code-taken" | "denied" | "paired"

export interface PairingConfirmation {
  readonly hash: string
  readonly user: string
  /** How many wrong codes an open code survives. */
  readonly mostWrong: number
}

export interface Pairings {
  ask(pairing: NewPairing): Promise<PairingAsked>
  /** Oldest first. */
  open(): Promise<readonly OpenPairing[]>
  /**
   * Pairs the sender of this code with a user. A wrong code counts against every open code, since it may be a guess at
   * any of them; one that has met `mostWrong` of them is closed, and its sender may ask again.
   */
  confirm(confirmation: PairingConfirmation): Promise<PairedSender | undefined>
  /** Closes the sender's code, and gives them no other until `forget`. Returns false if no code of theirs is open. */
  deny(sender: ChannelSender): Promise<boolean>
  /** The user that this sender was paired with. */
  find(sender: ChannelSender): Promise<PairedSender | undefined>
  /** In the order in which they were paired. */
  paired(): Promise<readonly PairedSender[]>
  /** Ends a pairing or a denial. Returns false if there is none. */
  forget(sender: ChannelSender): Promise<boolean>
}
