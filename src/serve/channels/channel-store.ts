// What channels need from the store. Each method is one transaction; times are those of the store's clock.
import type { ChannelAnswer, ChannelMessage } from "./channel.ts"

/** Messages of channels until the agent has them, and answers until they are delivered. */
export interface ChannelStore {
  /** The position that was last received with; undefined if there is none. */
  position(channel: string): Promise<string | undefined>
  /** Stores messages by (channel, id), each once, and the position. Returns the ids that are new. */
  receive(channel: string, batch: ReceivedBatch): Promise<readonly string[]>
  /** Messages that the agent does not have yet, in the order in which they came. */
  open(channel: string): Promise<readonly ChannelMessage[]>
  /** The agent has it, or it was refused: `open` no longer lists it, and its id stays known. */
  close(channel: string, id: string): Promise<void>
  /** Stores an answer once by its id. */
  addAnswer(channel: string, answer: ChannelAnswer): Promise<void>
  /** Answers that are due, the oldest of each place only, so that order is kept. */
  dueAnswers(channel: string): Promise<readonly DueAnswer[]>
  /** When the next answer is due; undefined if there is none. */
  nextDue(channel: string): Promise<number | undefined>
  /** Notes that parts of it were sent. */
  partSent(channel: string, id: string, parts: number): Promise<void>
  /** `delivered` and `given-up` end it; `retryInMs` tries again. */
  settleAnswer(
    channel: string,
    id: string,
    outcome: "delivered" | "given-up" | { readonly retryInMs: number },
  ): Promise<void>
}

export interface ReceivedBatch {
  readonly messages: readonly ChannelMessage[]
  readonly position?: string | undefined
}

export interface DueAnswer {
  readonly answer: ChannelAnswer
  readonly attempts: number
  readonly part: number
}
