// What a person says, as a message. A program may read it from a client with `fromChat` or another converter, and a client
// may send anything: what is no words of a person is refused, so that it cannot pass for the program's own.
import {
  checkMessages,
  isSent,
  type Message,
  type MessagePart,
  type Native,
  userMessage,
} from "../core/model/message.ts"
import { nativeName } from "../core/model/part-text.ts"
import { badInput } from "./chat-session.ts"

/** Throws if it is empty, or more than words and files. */
export function spokenMessage(words: string | Message): Message {
  const message = typeof words === "string" ? userMessage(words) : words
  checkMessages([message])
  if (message.role !== "user" || !message.parts.some(isSent))
    throw badInput("say needs the words of a person; providers refuse an empty message")
  const other = message.parts.map(problemOf).find((problem) => problem !== undefined)
  if (other !== undefined) throw badInput(`say takes the words and files of a person; this is ${other}`)
  return message
}

function problemOf(part: MessagePart): string | undefined {
  if (part.kind === "tool-result") return "a result of a call, which answer takes"
  if (part.kind === "text") return part.tail || part.envelope ? "text of the compiler" : undefined
  if (part.kind !== "native") return `a part of the kind "${part.kind}"`
  return part.fields || isFile(part) ? undefined : `"${nativeName(part.value)}"`
}

/** Names of calls, of their results and approvals, and of code that a model ran. */
const OF_A_MODEL = /tool|call|code|approval|reference/i

/** Whether it is an image, a document or the like: neither a whole message, nor what only a model or a tool says. */
function isFile({ format, value }: Native): boolean {
  const name = nativeName(value)
  if (value.role !== undefined || OF_A_MODEL.test(name)) return false
  return format !== "responses" || name.startsWith("input_")
}
