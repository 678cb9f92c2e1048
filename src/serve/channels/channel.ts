// A channel: one way in which people reach the agent, such as Telegram. It turns what arrives into messages, and answers
// into what its service understands. Who may talk, what is kept and when to try again is decided by `connectChannels`.
import type { Approval, ApprovalRequest } from "../../tools/host.ts"

/** One way in which people reach the agent. The contract suite in the tests checks what every channel must do. */
export interface Channel {
  /** The first part of its identities: `telegram` in `telegram:4711`. */
  readonly name: string
  /**
   * Receives until the signal is aborted; a channel that is called over HTTP instead leaves it out, or returns once it
   * is ready to be called. If it throws, that is recorded, and `run` is called again after a while.
   */
  run?(host: ChannelHost, signal: AbortSignal): Promise<void>
  /**
   * Asked once at the start: who the agent is on this channel. Throws an `IncipitError` if its settings are wrong, and
   * `ChannelFault` if the service cannot be asked now.
   */
  introduce?(): Promise<Introduction>
  /** Answers a request to `/channels/<name>`. With 2xx only once `host.take` has resolved. */
  request?(request: Request, host: ChannelHost): Promise<Response>
  /** Cuts an answer into parts that the service takes, in a form that `send` reads. The same text gives the same parts. */
  parts(text: string): readonly string[]
  /**
   * Sends one part and returns the service's id for it, if it has one. May be called again with the same id after a
   * crash. Throws if it could not be sent: `ChannelFault` may say when to try again, or that it is of no use.
   */
  send(part: OutgoingPart): Promise<string | undefined>
  /** Shows that an answer is being written. Failures don't matter. */
  typing?(to: Place): Promise<void>
  /** Asks a person for an approval. Resolves with "no" when the signal is aborted or the question cannot be asked. */
  ask?(question: ChannelQuestion): Promise<Approval>
}

/** Who the agent is on a channel, for the operator. */
export interface Introduction {
  /** Such as `@lamp_bot`. */
  readonly name: string
  readonly warnings: readonly string[]
}

/** What a channel gets to pass on what arrives. */
export interface ChannelHost {
  /**
   * Stores what arrived, once by its id. Only then may the channel tell its service that it has it. Throws if it could
   * not be stored.
   */
  take(arrival: ChannelArrival): Promise<void>
  /** Tells the operator about something that trying again would not change. */
  report(problem: string): void
}

/** Something that arrived on a channel. */
export interface ChannelArrival {
  /** The same for every delivery of the same thing, and for nothing else on this channel. */
  readonly id: string
  /** Undefined if it needs no answer, such as a pressed button. */
  readonly message: ChannelMessage | undefined
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
  readonly place: Place
  /** The sender's identity on the channel, as the service vouches for it. */
  readonly sender: string
  readonly isRoom: boolean
  /** In a room: it mentions the agent, or replies to it. */
  readonly isAddressed: boolean
  /** May be empty with files. */
  readonly text: string
  readonly files?: readonly ChannelFile[] | undefined
  /** What an answer can refer to, in the channel's own words. */
  readonly replyTo?: string
}

/** A file that came with a message. It is loaded only if its sender may talk. */
export interface ChannelFile {
  /** What it is in words, such as `a photo`. */
  readonly what: string
  readonly name?: string | undefined
  /** Undefined if it is unknown, or if there is nothing to load. */
  readonly mediaType: string | undefined
  /** As the service says; undefined if it doesn't. */
  readonly bytes?: number | undefined
  /** Throws `ChannelFault`, which is final if there are more bytes. */
  load(options: { readonly mostBytes: number; readonly signal: AbortSignal }): Promise<Uint8Array>
}

/** A part of an answer on its way to a person or a room. */
export interface OutgoingPart {
  /** The same for every attempt, so that a receiver can drop doubles. */
  readonly id: string
  readonly place: Place
  /** One of what `parts` returned. */
  readonly body: string
  /** With the first part: the message that it answers. */
  readonly replyTo?: string | undefined
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
