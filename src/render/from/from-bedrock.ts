// Reads messages of Amazon Bedrock's Converse API: `response.output.message`, or the `messages` of a request. Reasoning
// with its signature, citations, images and documents come back unchanged from `renderBedrock`.
import type { Message, MessagePart } from "../../core/model/message.ts"
import { markedBytes } from "../formats/bytes.ts"
import { readable } from "../formats/native.ts"
import {
  copyOf,
  createCollector,
  type Fields,
  fieldsOf,
  isFields,
  kept,
  listOf,
  nativePart,
  type Reader,
  refuse,
  restOf,
  textOf,
} from "./shape.ts"

/** `response.output.message`, or a message of the history. */
export interface BedrockHistoryMessage {
  readonly role?: string | undefined
  readonly content?: readonly object[] | undefined
}

const READER: Reader = {
  format: "bedrock",
  name: "fromBedrock",
  takes: "`response.output.message`, or a list of messages with `role` and `content`",
}

/** Reads what Bedrock's Converse API returned (`response.output.message`), or the messages that it takes, as ours. */
export function fromBedrock(
  given: BedrockHistoryMessage | readonly BedrockHistoryMessage[],
): readonly Message[] {
  const list = isFields(given) ? [given] : listOf(READER, given, "the value")
  const { messages, message } = createCollector()
  for (const [at, item] of list.entries()) {
    const { role, content } = fieldsOf(READER, item, `messages[${at}]`)
    if (role !== "user" && role !== "assistant")
      refuse(READER, `messages[${at}].role`, `is ${JSON.stringify(role)}`)
    const blocks = listOf(READER, content, `messages[${at}].content`).map((block, index) =>
      fieldsOf(READER, block, `messages[${at}].content[${index}]`),
    )
    // A cache point is the caller's own; the renderer sets its own, and the API allows only a few.
    const said = blocks.filter((block) => block.cachePoint === undefined)
    message(
      role,
      said.map((block, index) => readBlock(block, `messages[${at}].content[${index}]`)),
    )
  }
  return messages
}

/** A block has one field, named after its kind. */
function readBlock(block: Fields, where: string): MessagePart {
  if (typeof block.type === "string")
    refuse(READER, where, `has the type "${block.type}"; blocks of Converse have none`)
  const { text, toolUse, toolResult, reasoningContent, citationsContent } = block
  if (typeof text === "string") return { kind: "text", text }
  if (isFields(toolUse)) return readCall(toolUse, where)
  if (isFields(toolResult)) return readResult(toolResult, where)
  if (isFields(reasoningContent)) return readReasoning(reasoningContent)
  if (isFields(citationsContent)) return readCited(citationsContent)
  return native(block)
}

function native(block: Fields): MessagePart {
  return nativePart("bedrock", fieldsOf(READER, markedBytes(block), "a block"))
}

function readCall(call: Fields, where: string): MessagePart {
  // The provider runs such a call and has its result, so the host must not answer it.
  if (call.type !== undefined && call.type !== null) return native({ toolUse: call })
  return {
    kind: "tool-call",
    id: textOf(READER, call.toolUseId, `${where}.toolUse.toolUseId`),
    name: textOf(READER, call.name, `${where}.toolUse.name`),
    input: copyOf(call.input ?? {}),
    ...kept("bedrock", restOf(call, ["toolUseId", "name", "input"])),
  }
}

function readResult(result: Fields, where: string): MessagePart {
  const content = listOf(READER, result.content ?? [], `${where}.toolResult.content`)
  const [only] = content
  const single = content.length === 1 && isFields(only) && Object.keys(only).length === 1 ? only : {}
  const isText = typeof single.text === "string" || content.length === 0
  const isJson = single.json !== undefined
  const blocks = isText || isJson ? {} : { content: copyOf(markedBytes(content)) }
  return {
    kind: "tool-result",
    id: textOf(READER, result.toolUseId, `${where}.toolResult.toolUseId`),
    text: readable(content),
    ...(isJson && { json: true }),
    ...(result.status === "error" && { isError: true }),
    ...kept("bedrock", {
      ...restOf(result, ["toolUseId", "content", "status"]),
      ...(isJson && { json: true }),
      ...blocks,
    }),
  }
}

/** Signatures and redacted bytes are where the AI SDK has them too. */
function readReasoning(reasoning: Fields): MessagePart {
  const { reasoningText, redactedContent } = reasoning
  if (isFields(reasoningText) && typeof reasoningText.text === "string") {
    const { text, signature } = reasoningText
    const data = typeof signature === "string" ? { data: { bedrock: { signature } } } : {}
    // Kept even if empty: it says whose thought this is.
    return { kind: "reasoning", text, ...data, native: { format: "bedrock", value: {} } }
  }
  const redactedData = redactedContent === undefined ? undefined : copyOf(redactedContent)
  if (typeof redactedData !== "string") return native({ reasoningContent: reasoning })
  const value = { bytes: typeof redactedContent !== "string" }
  return {
    ...{ kind: "reasoning", text: "", data: { bedrock: { redactedData } } },
    native: { format: "bedrock", value },
  }
}

/** What the model said goes to other providers as text. */
function readCited(cited: Fields): MessagePart {
  const { content, ...rest } = cited
  const [only, ...more] = Array.isArray(content) ? content : []
  if (!isFields(only) || typeof only.text !== "string" || more.length > 0)
    return native({ citationsContent: cited })
  return {
    ...{ kind: "text", text: only.text },
    native: { format: "bedrock", value: { cited: restOf(rest, []) } },
  }
}
