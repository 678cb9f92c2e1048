// Messages of LangChain as the core sees them, and the other way round. What has neither turn context nor a mark is
// passed on as the same object.
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "langchain"
import { isRecord } from "../../base/is-record.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { SentItem, SentPiece, SentText } from "../host/sent-items.ts"

type Fields = Readonly<Record<string, unknown>>

/** How a provider marks the end of a cached prefix, if it takes marks. */
export type WriteMark = ((ttl: string) => Fields) | undefined

export const anthropicMark = (ttl: string): Fields => ({
  cache_control: { type: "ephemeral", ...(ttl === "1h" && { ttl }) },
})

export function readMessage(message: BaseMessage): Message {
  if (ToolMessage.isInstance(message))
    return { role: "user", parts: [{ kind: "tool-result", id: message.tool_call_id, text: message.text }] }
  const parts = blocksOf(message).map(readBlock)
  if (!AIMessage.isInstance(message))
    return { role: "user", parts: SystemMessage.isInstance(message) ? [native({ type: "system" })] : parts }
  const calls = (message.tool_calls ?? []).map(
    ({ id = "", name, args: input }): MessagePart => ({ kind: "tool-call", id, name, input }),
  )
  return { role: "assistant", parts: [...parts, ...calls] }
}

function blocksOf({ content }: BaseMessage): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return content.map((block) => ({ ...block }))
}

function readBlock(block: Fields): MessagePart {
  const { type, text } = block
  if (type === "text" && typeof text === "string") return { kind: "text", text }
  // LangChain has the calls beside the content, too.
  if (CALLS.has(type)) return { kind: "text", text: "" }
  if (THOUGHTS.has(type))
    return { kind: "reasoning", text: "", ...(type !== "reasoning" && { data: { anthropic: {} } }) }
  return native({ type: typeof type === "string" ? type : "block" })
}

const CALLS: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_call",
  "functionCall",
  "function_call",
  "input_json_delta",
])
const THOUGHTS: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking", "reasoning"])

function native(value: Fields): MessagePart {
  return { kind: "native", format: "chat", value }
}

/** Marks that the program or another middleware has set. They count towards what the provider takes. */
export function marksIn(messages: readonly BaseMessage[]): number {
  return messages.flatMap(blocksOf).filter((block) => isRecord(block.cache_control)).length
}

export function systemMessage(
  texts: readonly SentText[],
  own: BaseMessage | undefined,
  mark: WriteMark,
): SystemMessage {
  const blocks = texts.map(({ text, mark: ttl }) => ({ type: "text", text, ...marked(ttl, mark) }))
  const rest = own === undefined ? [] : blocksOf(own).filter(({ text }) => text !== "")
  // Each is a block that LangChain takes.
  return new SystemMessage({ content: [...blocks, ...rest] as never })
}

function marked(ttl: string | undefined, mark: WriteMark): Fields {
  return ttl === undefined || mark === undefined ? {} : mark(ttl)
}

export function writeItem(
  item: SentItem,
  own: readonly BaseMessage[],
  mark: WriteMark,
): readonly BaseMessage[] {
  if (item.kind === "system") return [new SystemMessage(item.text)]
  const message = item.at === undefined ? undefined : own[item.at]
  if (message === undefined) return [humanMessage(item.pieces, [], mark)]
  if (AIMessage.isInstance(message)) return [writeAnswer(item.pieces, message)]
  if (HumanMessage.isInstance(message))
    return isPlain(item.pieces) ? [message] : [humanMessage(item.pieces, blocksOf(message), mark, message)]
  return item.pieces.map((piece) => {
    if (piece.kind === "tail") return humanMessage([piece], [], mark)
    return isPlain([piece]) || !ToolMessage.isInstance(message) ? message : writeResult(piece, message, mark)
  })
}

function isPlain(pieces: readonly SentPiece[]): boolean {
  return pieces.every(
    (piece) => piece.kind === "part" && piece.mark === undefined && piece.guarded === undefined,
  )
}

function humanMessage(
  pieces: readonly SentPiece[],
  blocks: readonly Fields[],
  mark: WriteMark,
  message?: HumanMessage,
): HumanMessage {
  const content = pieces.flatMap((piece): readonly Fields[] => {
    const ending = marked(piece.mark, mark)
    if (piece.kind === "tail") return [{ type: "text", text: piece.text, ...ending }]
    const block = blocks[piece.part]
    if (block === undefined) return []
    return [{ ...block, ...(piece.guarded !== undefined && { text: piece.guarded }), ...ending }]
  })
  // Each is a block of the program, or a text.
  return new HumanMessage({ ...message, content: content as never })
}

/**
 * Without reasoning that cannot be sent any more. Its calls are beside the content and stay. Marks are never needed here:
 * a call ends with words or results.
 */
function writeAnswer(pieces: readonly SentPiece[], message: AIMessage): AIMessage {
  const { content } = message
  if (typeof content === "string") return message
  const kept = new Set(pieces.flatMap((piece) => (piece.kind === "part" ? [piece.part] : [])))
  const left = content.filter((_, at) => kept.has(at))
  // The same fields with less content.
  return left.length === content.length ? message : new AIMessage({ ...message, content: left } as never)
}

/** Anthropic takes a mark on a result as a whole, which LangChain's messages of tools cannot have. */
function writeResult(
  piece: Extract<SentPiece, { kind: "part" }>,
  message: ToolMessage,
  mark: WriteMark,
): BaseMessage {
  const content = piece.guarded ?? message.content
  if (piece.mark === undefined || mark === undefined) return new ToolMessage({ ...message, content })
  const result = { type: "tool_result", tool_use_id: message.tool_call_id, content, ...mark(piece.mark) }
  return new HumanMessage({ content: [result] as never })
}
