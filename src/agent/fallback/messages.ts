// Converts a conversation for a model without tool calling: calls become the blocks that it writes, and results become
// text in a tag that neither a tool nor a person can write. The same messages always give the same bytes.
import { canonicalJson } from "../../base/digest.ts"
import { guardPart } from "../../core/layout/guard-part.ts"
import { textOf } from "../../core/model/content.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import { insideEnvelope, withInside } from "../../core/view/envelope.ts"
import { element, guard } from "../../core/write/markup.ts"
import { callInput, toolNameOf } from "../../render/formats/renderer.ts"

type CallPart = Extract<MessagePart, { kind: "tool-call" }>
type ResultPart = Extract<MessagePart, { kind: "tool-result" }>

const RESULT_TAG = "tool_result"

interface Made {
  /** The message whose calls were answered. */
  readonly calls: Message | undefined
  readonly message: Message
}

/** Messages that were converted before. */
export type FallbackCache = WeakMap<Message, Made>

export function fallbackMessages(
  messages: readonly Message[],
  cache: FallbackCache = new WeakMap(),
): readonly Message[] {
  return messages.map((message, at) => {
    const calls = messages[at - 1]
    const known = cache.get(message)
    if (known !== undefined && known.calls === calls) return known.message
    const made = message.role === "assistant" ? plainAnswer(message) : plainUser(message, calls)
    cache.set(message, { calls, message: made })
    return made
  })
}

/** Joins text and blocks into one text, because servers differ in how they join several. */
function plainAnswer(message: Message): Message {
  if (!message.parts.some(({ kind }) => kind === "tool-call")) return message
  let text = ""
  for (const part of message.parts) {
    if (part.kind === "text") text += part.text
    else if (part.kind === "tool-call")
      text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${blockOf(part)}`
  }
  const others = message.parts.filter(({ kind }) => kind === "reasoning" || kind === "native")
  return { ...message, parts: [...others, { kind: "text", text }] }
}

function blockOf(part: CallPart): string {
  const written = part.data?.fallback?.written
  if (typeof written === "string") return written
  const { name } = part
  return `\`\`\`tool_call\n{"tool": ${JSON.stringify(name)}, "arguments": ${canonicalJson(callInput(part))}}\n\`\`\``
}

function plainUser(message: Message, calls: Message | undefined): Message {
  const parts = message.parts.map((part): MessagePart => {
    if (part.kind === "tool-result") return { kind: "text", text: resultText(part, calls) }
    if (part.kind === "native") return guardPart(part, [RESULT_TAG])
    if (part.kind !== "text" || part.tail) return part
    const text = part.envelope
      ? withInside(part.text, guard(insideEnvelope(part.text), [RESULT_TAG]))
      : guard(part.text, [RESULT_TAG])
    return text === part.text ? part : { ...part, text }
  })
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts }
}

function resultText(part: ResultPart, calls: Message | undefined): string {
  const attributes = { tool: toolNameOf(part.id, calls), ...(part.isError && { status: "error" }) }
  return textOf(element(RESULT_TAG, attributes, [{ text: guard(part.text, [RESULT_TAG]) }]))
}
