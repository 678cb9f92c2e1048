// Reads messages of Anthropic's Messages API: `message.content` of a response, or the history that a request takes.
// Citations, callers, images, documents and server tools come back unchanged from `renderAnthropic`.
import type { Message, MessagePart, ProviderData } from "../../core/model/message.ts"
import { readable } from "../formats/native.ts"
import {
  checkType,
  copyOf,
  createCollector,
  type Fields,
  fieldsOf,
  isFields,
  kept,
  listOf,
  nativePart,
  own,
  type Reader,
  refuse,
  restOf,
  textOf,
  unmarked,
} from "./shape.ts"

/** A block of `message.content`, or of a message in the history. */
export interface AnthropicBlock {
  readonly type: string
  // Fields that a test or a program writes by hand. The SDK's own blocks may have any others.
  readonly text?: unknown
  readonly citations?: unknown
  readonly id?: unknown
  readonly name?: unknown
  readonly input?: unknown
  readonly thinking?: unknown
  readonly signature?: unknown
  readonly data?: unknown
  readonly tool_use_id?: unknown
  readonly content?: unknown
  readonly is_error?: unknown
  readonly source?: unknown
  readonly cache_control?: unknown
}

/** A response, or a message of the history. */
export interface AnthropicHistoryMessage {
  readonly role: string
  readonly content: string | readonly AnthropicBlock[]
}

const READER: Reader = {
  format: "anthropic",
  name: "fromAnthropic",
  takes: "`message.content` of a response, or a list of messages with `role` and `content`",
}

/** Reads what Anthropic's SDK returned (`message.content`), or the messages that it takes, as our messages. */
export function fromAnthropic(
  given: AnthropicHistoryMessage | readonly AnthropicHistoryMessage[] | readonly AnthropicBlock[],
): readonly Message[] {
  if (isFields(given)) return readMessages([given])
  const list = listOf(READER, given, "the value")
  const isContent = list.length > 0 && list.every((item) => isFields(item) && item.role === undefined)
  return readMessages(isContent ? [{ role: "assistant", content: list }] : list)
}

function readMessages(list: readonly unknown[]): readonly Message[] {
  const { messages, message } = createCollector()
  for (const [at, item] of list.entries()) {
    const fields = fieldsOf(READER, item, `messages[${at}]`)
    const { role, content } = fields
    // A system message within the conversation is the host's. It keeps its place and its words.
    if (role === "system") message("user", [nativePart("anthropic", fields)])
    else if (role === "user" || role === "assistant")
      message(role, readContent(content, `messages[${at}].content`))
    else refuse(READER, `messages[${at}].role`, `is ${JSON.stringify(role)}`)
  }
  return messages
}

function readContent(content: unknown, where: string): readonly MessagePart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }]
  return listOf(READER, content, where).map((item, at) => readBlock(item, `${where}[${at}]`))
}

function readBlock(item: unknown, where: string): MessagePart {
  const block = fieldsOf(READER, item, where)
  const type = checkType(READER, block.type, where)
  const read = own(BLOCKS, type)
  return read === undefined ? nativePart("anthropic", block) : read(block, where)
}

const BLOCKS: Readonly<Record<string, (block: Fields, where: string) => MessagePart>> = {
  text: (block, where) => ({
    kind: "text",
    text: textOf(READER, block.text, `${where}.text`),
    ...kept("anthropic", restOf(block, ["type", "text"])),
  }),
  thinking: (block, where) => ({
    kind: "reasoning",
    text: textOf(READER, block.thinking, `${where}.thinking`),
    ...signatureOf(block, where),
    ...kept("anthropic", restOf(block, ["type", "thinking", "signature"])),
  }),
  redacted_thinking: (block, where) => ({
    kind: "reasoning",
    text: "",
    data: { anthropic: { redactedData: textOf(READER, block.data, `${where}.data`) } },
    ...kept("anthropic", restOf(block, ["type", "data"])),
  }),
  tool_use: (block, where) => ({
    kind: "tool-call",
    id: textOf(READER, block.id, `${where}.id`),
    name: textOf(READER, block.name, `${where}.name`),
    ...readInput(block.input),
    ...kept("anthropic", restOf(block, ["type", "id", "name", "input"])),
  }),
  tool_result: readResult,
}

/** Local servers with this protocol sign nothing. Such reasoning isn't sent back: Claude would refuse it. */
function signatureOf({ signature }: Fields, where: string): { readonly data?: ProviderData } {
  if (signature === undefined || signature === null) return {}
  return { data: { anthropic: { signature: textOf(READER, signature, `${where}.signature`) } } }
}

/** Arguments that are no object, as from a stream that broke off. */
function readInput(input: unknown): { readonly input: unknown; readonly unread?: "malformed" } {
  const copy = copyOf(input)
  if (copy === undefined || isFields(copy)) return { input: copy ?? {} }
  return { input: { unread: JSON.stringify(copy) }, unread: "malformed" }
}

function readResult(block: Fields, where: string): MessagePart {
  const rest = restOf(block, ["type", "tool_use_id", "content", "is_error"])
  const { text, list } = readResultContent(block.content, `${where}.content`)
  return {
    kind: "tool-result",
    id: textOf(READER, block.tool_use_id, `${where}.tool_use_id`),
    text,
    ...(block.is_error === true && { isError: true }),
    ...kept("anthropic", list === undefined ? rest : { ...rest, content: list }),
  }
}

/** One block of plain text is the same as its text. Any other list is kept beside what it says. */
function readResultContent(
  content: unknown,
  where: string,
): { readonly text: string; readonly list?: readonly unknown[] } {
  if (content === undefined || content === null) return { text: "" }
  if (typeof content === "string") return { text: content }
  const list = listOf(READER, content, where).map((item, at) =>
    unmarked(fieldsOf(READER, item, `${where}[${at}]`)),
  )
  const [only] = list
  const isPlain = list.length === 1 && only?.type === "text" && Object.keys(only).length === 2
  return list.length === 0 || isPlain ? { text: readable(list) } : { text: readable(list), list }
}
