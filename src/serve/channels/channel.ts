// A channel: one way in which people reach the agent, such as Telegram. It turns what arrives into messages, and answers
// into what its service understands. Who may talk, what is kept and when to try again is decided by the gateway.
import type { Approval, ApprovalRequest } from "../../tools/host.ts"

/** One way in which people reach the agent. The contract suite in the tests checks what every channel must do. */
export interface Channel {
  /** The first part of its identities: `telegram` in `telegram:4711`. */
  readonly name: string
  /**
   * Receives until the signal is aborted; a channel that is called over HTTP instead leaves it out. It may throw
   * `ChannelFault`: the gateway records it, waits and calls `run` again.
   */
  run?(host: ChannelHost, signal: AbortSignal): Promise<void>
  /** Answers a request to `/channels/<name>`. With 2xx only once `host.take` has resolved. */
  request?(request: Request, host: ChannelHost): Promise<Response>
  /**
   * Sends one answer. It may be called again with the same id after a crash, and continues at `part` if `sent` was
   * called. Throws `ChannelFault` if it could not be sent.
   */
  deliver(answer: ChannelAnswer, progress: DeliveryProgress): Promise<void>
  /** Shows that an answer is being written. Failures don't matter. */
  typing?(to: Place): Promise<void>
  /** Asks a person for an approval. Resolves with "no" when the signal is aborted or the question cannot be asked. */
  ask?(question: ChannelQuestion): Promise<Approval>
}

/** What the gateway offers to a channel. */
export interface ChannelHost {
  /** Where to continue: what `take` was last given. Undefined at the first start. */
  position(): Promise<string | undefined>
  /**
   * Stores messages, each once by its id, and the position after them, in one transaction. Only then may the channel
   * tell its service that it has them.
   */
  take(messages: readonly ChannelMessage[], position?: string): Promise<void>
}

/** Where an answer goes: a person's own conversation, or a room. */
export interface Place {
  /** The identity of the person or the room, such as `telegram:4711`. */
  readonly channel: string
  /** A topic within the room, in the channel's own words. */
  readonly thread?: string
}

/** A message as it arrived. Names that people chose for themselves are not part of it: they prove nothing. */
export interface ChannelMessage {
  /** The same for every delivery of the same message, and for no other message of this channel. */
  readonly id: string
  readonly place: Place
  /** The sender's identity on the channel, as the service vouches for it. */
  readonly sender: string
  readonly isRoom: boolean
  /** In a room: it mentions the agent, or replies to it. */
  readonly isAddressed: boolean
  readonly text: string
  /** What an answer can refer to, in the channel's own words. */
  readonly replyTo?: string
}

/** An answer on its way to a person or a room. */
export interface ChannelAnswer {
  /** The same for every attempt, so that a receiver can drop doubles. */
  readonly id: string
  readonly place: Place
  readonly text: string
  readonly replyTo?: string
}

/** How far an answer that is sent in parts has come. */
export interface DeliveryProgress {
  /** Parts that were sent before. */
  readonly part: number
  /** Called after each part but the last. */
  sent(parts: number): Promise<void>
}

/** A question that one person may answer. */
export interface ChannelQuestion {
  readonly id: string
  /** The identity of the only person whose answer counts. Asked in their own conversation, never in a room. */
  readonly to: string
  readonly request: ApprovalRequest
  /** Who caused it, for the text of the question. */
  readonly from: string
  /** Aborted when it expires or is no longer needed. */
  readonly signal: AbortSignal
}

/** A failure of a channel's service. */
export class ChannelFault extends Error {
  override readonly name = "ChannelFault"
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined
  /** Trying again cannot help: the person blocked the agent, the room is gone. */
  readonly isFinal: boolean

  constructor(
    message: string,
    options: {
      readonly retryAfterMs?: number | undefined
      readonly isFinal?: boolean
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
    this.isFinal = options.isFinal ?? false
  }
}
