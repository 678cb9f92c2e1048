// What a program can do with conversations that a client holds: the types of `conversations.ts`.
import type { Message } from "../../core/model/message.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import type { Sender } from "../../database/contract/sender.ts"

/** A place in a conversation: after an answer, or where a turn waits for tools that the client runs. */
export interface Place {
  readonly session: string
  readonly turn: string
  /** The last item of the transcript up to there. */
  readonly seq: number
}

/** A place that was found again. */
export interface FoundPlace extends Place {
  /** Whether no message follows its turn. */
  readonly isLast: boolean
  /** Whether its turn waits for results of tools that the client runs. */
  readonly isWaiting: boolean
  /** What the message of its turn brought along. */
  readonly brought: Pick<Incoming, "clientTools" | "instructions">
  /** The digest that it was found by. */
  readonly digest?: string
}

/** Names that a client has for a place. */
export interface PlaceNames {
  readonly response: string
  /** Digest of the conversation up to there, as the client has it; undefined if it does not have all of it. */
  readonly digest: string | undefined
}

/** Begins, finds and branches sessions for clients that hold the conversation themselves. */
export interface Conversations {
  /** Where a session is now; undefined before its first message, or if the sender has no such session. */
  place(from: Sender, session: string): Promise<FoundPlace | undefined>
  /** Names a place, for good: it is found after a restart and by other processes. */
  remember(place: Place, names: PlaceNames): Promise<void>
  /**
   * The place of a response, or of the first of these digests that is known: pass the longest conversation first. Finds
   * only what the sender said at the same trust in the same situation.
   */
  find(
    from: Sender,
    by: Pick<PlaceNames, "response"> | { readonly digests: readonly string[] },
  ): Promise<FoundPlace | undefined>
  /** Begins a session with messages from elsewhere, and returns its id. */
  begin(from: Sender, messages: readonly Message[]): Promise<string>
  /**
   * Begins a session that shares the conversation up to `place` and goes on with these messages. Returns undefined if the
   * sender has no such session, or if that part of it was summarised in the meantime.
   */
  branch(from: Sender, place: Place, messages: readonly Message[]): Promise<string | undefined>
}
