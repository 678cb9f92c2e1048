// Reads the messages of a request: instructions, what was said before, and the new message at the end. Content may be a
// string or a list of parts. Whatever else a message can hold is refused by name.
import { isRecord } from "../../../base/is-record.ts"
import { invalid, tooMany } from "../surface-error.ts"
import { checkCalls } from "./check-calls.ts"
import { partsOf, textOf } from "./read-parts.ts"
import type { Said } from "./talk-request.ts"

/** A message as it is on the wire. */
export interface WireMessage {
  readonly role: string
  readonly content?: unknown
  /** Of chat completions. */
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
}

export interface Conversation {
  readonly instructions: string | undefined
  readonly earlier: readonly Said[]
  readonly message: Said
}

/** More than any client keeps; each is stored by itself. */
const MOST_MESSAGES = 10_000

const INSTRUCTIONS: readonly string[] = ["system", "developer"]

/** `param`: the field that holds the messages. */
export function readConversation(messages: readonly WireMessage[], param: string): Conversation {
  if (messages.length > MOST_MESSAGES)
    throw tooMany(`${param} has ${messages.length} messages; at most ${MOST_MESSAGES} are read`)
  const instructions: string[] = []
  const turns: Said[][] = []
  for (const [at, { role, content }] of messages.entries()) {
    const place = `${param}[${at}]`
    if (INSTRUCTIONS.includes(role)) instructions.push(textOf(content, place))
    else if (role === "user" || role === "assistant") add(turns, { role, ...partsOf(content, role, place) })
    else throw invalid(place, `${place}.role must be system, developer, user, assistant or tool`)
  }
  const said = turns.map(merged)
  const message = said.at(-1)
  if (message === undefined || message.role !== "user" || isEmpty(message))
    throw invalid(param, `${param} must end with a message of the user that has text`)
  checkCalls(said, param)
  return {
    instructions: instructions.length === 0 ? undefined : instructions.join("\n\n"),
    earlier: said.slice(0, -1),
    message,
  }
}

function isEmpty({ text, results, files }: Said): boolean {
  return text.trim() === "" && results.length === 0 && files.length === 0
}

/** APIs differ in how they split what one side says. */
function add(turns: Said[][], next: Said): void {
  const last = turns.at(-1)
  if (last?.[0]?.role === next.role) last.push(next)
  else turns.push([next])
}

/** Joined once, not message by message: the time must not grow with the square of their number. */
function merged(turn: readonly Said[]): Said {
  return {
    role: turn[0]?.role ?? "user",
    text: turn.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n\n"),
    calls: turn.flatMap(({ calls }) => calls),
    results: turn.flatMap(({ results }) => results),
    files: turn.flatMap(({ files }) => files),
  }
}

/** The messages of chat completions and of the Messages API. */
export function messagesIn({ messages }: { readonly messages?: unknown }): readonly WireMessage[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid("messages", "messages must be a list with at least one message")
  return messages.map((message: unknown, at) => {
    if (isRecord(message) && typeof message.role === "string") return { ...message, role: message.role }
    throw invalid(`messages[${at}]`, `messages[${at}] must be an object with a role and content`)
  })
}
