// A request to talk, as every compatible surface understands it: what was said before, and the new message.
import type { Message } from "../../core/model/message.ts"

/** A message of the conversation that the client holds. */
export interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
}

/** One request to an agent, whatever the API it came through. */
export interface TalkRequest {
  /** The name of the agent. */
  readonly model: string
  /** The client's system message. */
  readonly instructions: string | undefined
  /** What was said before, oldest first. */
  readonly earlier: readonly Said[]
  /** The new message. */
  readonly message: string
  /** The session that the client named. */
  readonly session: string | undefined
  /** The turn whose answer this message follows. */
  readonly previous: string | undefined
  readonly idempotencyKey: string | undefined
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  readonly isStreamed: boolean
  /** Fields that have no effect. */
  readonly ignored: readonly string[]
}

export function messageOf({ role, text }: Said): Message {
  return { role, parts: [{ kind: "text", text }] }
}
