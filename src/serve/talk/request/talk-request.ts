// A request to talk, as every compatible surface understands it: what was said before, and the new message.
import { fileParts, textOfFiles } from "../../../agent/inbox/message/message-files.ts"
import type { Effort } from "../../../core/model/inputs.ts"
import type { Message, MessagePart } from "../../../core/model/message.ts"
import type { ClientCall, ClientResult, ClientTool } from "../../../database/contract/client-tools.ts"
import type { MessageFile } from "../../../database/contract/message-file.ts"

/** A message of the conversation that the client holds. Messages of one role in a row are one. */
export interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
  /** Of the assistant: tools that the client was asked to run. */
  readonly calls: readonly ClientCall[]
  /** Of the user: what became of them. */
  readonly results: readonly ClientResult[]
  readonly files: readonly MessageFile[]
}

/** One request to an agent, whatever the API it came through. */
export interface TalkRequest {
  /** The name of the agent. */
  readonly model: string
  /** The client's system message. */
  readonly instructions: string | undefined
  /** What was said before, oldest first. */
  readonly earlier: readonly Said[]
  /** The new message, or the results of tools that the client has run. */
  readonly message: Said
  /** The session that the client named. */
  readonly session: string | undefined
  /** The answer that this message follows. */
  readonly previous: string | undefined
  /** The client sends its tools and instructions only with the first message of a conversation. */
  readonly isThread: boolean
  readonly idempotencyKey: string | undefined
  /** Tools that the client runs. */
  readonly tools: readonly ClientTool[]
  /** The client runs one call at a time. */
  readonly isOneCall: boolean
  /** How much the model thinks; undefined for what is configured. */
  readonly effort: Effort | undefined
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  readonly isStreamed: boolean
  /** Fields that have no effect. */
  readonly ignored: readonly string[]
}

export function messageOf({ role, text, calls, results, files }: Said): Message {
  const words = text + textOfFiles(files, (same) => same)
  const parts: readonly MessagePart[] = [
    ...results.map(resultPart),
    ...(words === "" ? [] : [{ kind: "text", text: words } as const]),
    ...fileParts(files),
    ...calls.map((call) => ({ kind: "tool-call", ...call }) as const),
  ]
  return { role, parts }
}

function resultPart({ id, text, isError }: ClientResult): MessagePart {
  return { kind: "tool-result", id, text, ...(isError === true && { isError }) }
}
