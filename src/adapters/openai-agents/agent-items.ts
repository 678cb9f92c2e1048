// Items of OpenAI Agents as the core sees them, and the other way round. Items that get neither turn context nor a guard
// are passed on as they are.
import { isRecord } from "../../base/is-record.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { SentItem } from "../host/sent-items.ts"

type Fields = Readonly<Record<string, unknown>>

/** Each item is a message to the core. */
export function readItem(item: object): Message {
  const fields: Fields = { ...item }
  const { type, role, callId, name } = fields
  if (type === "function_call" && typeof callId === "string")
    return {
      role: "assistant",
      parts: [{ kind: "tool-call", id: callId, name: String(name), input: fields.arguments }],
    }
  if (type === "function_call_result" && typeof callId === "string")
    return { role: "user", parts: [{ kind: "tool-result", id: callId, text: outputText(fields.output) }] }
  if (role === "user" || role === "assistant") return { role, parts: contentOf(fields).map(readPart) }
  if (type === "reasoning") return { role: "assistant", parts: [{ kind: "reasoning", text: "" }] }
  return { role: role === "system" ? "user" : "assistant", parts: [native({ type: String(type ?? role) })] }
}

function contentOf({ content }: Fields): readonly Fields[] {
  if (typeof content === "string") return [{ type: "input_text", text: content }]
  return Array.isArray(content) ? content.filter(isRecord) : []
}

function readPart(part: Fields): MessagePart {
  return typeof part.text === "string"
    ? { kind: "text", text: part.text }
    : native({ type: String(part.type) })
}

function native(value: Fields): MessagePart {
  return { kind: "native", format: "responses", value }
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output
  if (Array.isArray(output)) return output.map(outputText).join("\n")
  if (!isRecord(output)) return ""
  return typeof output.text === "string" ? output.text : `[${String(output.type)}]`
}

/**
 * The conversation without turn context: a session of the SDK keeps the items as they were sent, and brings them back.
 */
export function withoutTails<T extends object>(
  items: readonly T[],
  isTail: (text: string) => boolean,
): readonly T[] {
  return items.flatMap((item) => {
    const fields: Fields = Object.fromEntries(Object.entries(item))
    if (fields.role !== "user" || !Array.isArray(fields.content)) return [item]
    const content = contentOf(fields)
    const rest = content.filter(({ text }) => typeof text !== "string" || !isTail(text))
    if (rest.length === content.length) return [item]
    return rest.length === 0 ? [] : [{ ...item, content: rest }]
  })
}

export function writeItem(item: SentItem, own: readonly object[]): readonly object[] {
  if (item.kind === "system") return [{ type: "message", role: "system", content: item.text }]
  const source = item.at === undefined ? undefined : own[item.at]
  const fields: Fields = { ...source }
  const isUntouched = item.pieces.every((piece) => piece.kind === "part" && piece.guarded === undefined)
  if (source !== undefined && isUntouched) return [source]
  if (source === undefined || fields.role === "user") {
    const blocks = contentOf(fields)
    const content = item.pieces.flatMap((piece): readonly Fields[] => {
      if (piece.kind === "tail") return [textPart(piece.text)]
      const block = blocks[piece.part]
      if (block === undefined) return []
      return [piece.guarded === undefined ? block : { ...block, text: piece.guarded }]
    })
    return [{ type: "message", role: "user", ...source, content }]
  }
  return item.pieces.map((piece) => {
    if (piece.kind === "tail") return { type: "message", role: "user", content: [textPart(piece.text)] }
    return piece.guarded === undefined ? source : { ...source, output: { type: "text", text: piece.guarded } }
  })
}

function textPart(text: string): Fields {
  return { type: "input_text", text }
}
