// What a program can do with conversations that a client holds: the types of `conversations.ts`.
import type { Message } from "../../core/model/message.ts"
import type { Sender } from "../../database/contract/sender.ts"

/** How far a conversation has come. */
export interface Place {
  readonly session: string
  /** The newest message that was received. */
  readonly turn: string
  /** The last item of the transcript. */
  readonly seq: number
}

/** Begins and branches sessions for clients that hold the conversation themselves. */
export interface Conversations {
  /** Where a session is now; undefined before its first message, or if there is no such session. */
  place(session: string): Promise<Place | undefined>
  /** Begins a session with messages from elsewhere, and returns its id. */
  begin(from: Sender, messages: readonly Message[]): Promise<string>
  /**
   * Begins a session that shares the conversation up to `place` and goes on with these messages. Returns undefined if the
   * sender has no such session, or if that part of it was summarised in the meantime.
   */
  branch(from: Sender, place: Place, messages: readonly Message[]): Promise<string | undefined>
}
