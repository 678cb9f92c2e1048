// Reads the messages of a request: instructions, what was said before, and the new message at the end. Text may be a
// string or a list of parts. Whatever else a message can hold is refused by name.
import { invalid, unsupported } from "./surface-error.ts"
import type { Said } from "./talk-request.ts"

/** A message as it is on the wire. */
export interface WireMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: unknown
}

export interface Conversation {
  readonly instructions: string | undefined
  readonly earlier: readonly Said[]
  readonly message: string
}

const INSTRUCTIONS: readonly string[] = ["system", "developer"]

/** `param`: the field that holds the messages. */
export function readConversation(messages: readonly WireMessage[], param: string): Conversation {
  const instructions: string[] = []
  const said: Said[] = []
  for (const [at, message] of messages.entries()) {
    const place = `${param}[${at}]`
    if (INSTRUCTIONS.includes(message.role)) instructions.push(textOf(message.content, place))
    else said.push(saidIn(message, place))
  }
  const start = said.findLastIndex(({ role }) => role === "assistant") + 1
  const message = said
    .slice(start)
    .map(({ text }) => text)
    .join("\n\n")
  if (message.trim() === "")
    throw invalid(param, `${param} must end with a message of the user that has text`)
  return {
    instructions: instructions.length === 0 ? undefined : instructions.join("\n\n"),
    earlier: said.slice(0, start),
    message,
  }
}

function saidIn({ role, content, tool_calls: calls }: WireMessage, place: string): Said {
  if (role === "tool" || role === "function" || (Array.isArray(calls) && calls.length > 0))
    throw unsupported(place, `${place}: tools that the client runs are not supported`)
  if (role !== "user" && role !== "assistant")
    throw invalid(place, `${place}.role must be system, developer, user or assistant`)
  return { role, text: textOf(content, place) }
}

const TEXTS: readonly unknown[] = ["text", "input_text", "output_text"]

/** A string equals one part of text. */
export function textOf(content: unknown, place: string): string {
  if (typeof content === "string") return content
  if (content === null || content === undefined) return ""
  if (!Array.isArray(content)) throw invalid(place, `${place}.content must be a string or a list of parts`)
  return content.map((part: unknown, at) => partText(part, `${place}.content[${at}]`)).join("")
}

function partText(part: unknown, place: string): string {
  const { type, text, refusal }: { type?: unknown; text?: unknown; refusal?: unknown } = Object(part)
  if (TEXTS.includes(type) && typeof text === "string") return text
  if (type === "refusal" && typeof refusal === "string") return refusal
  // The reasoning of an earlier answer is not part of what was said.
  if (type === "thinking" || type === "redacted_thinking") return ""
  throw unsupported(place, `${place}: parts of the type ${JSON.stringify(type)} are not supported; send text`)
}
