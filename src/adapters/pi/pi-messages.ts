// Messages of pi as the core sees them, and the other way round. What gets neither turn context nor a guard is passed on
// as the same object.
import { isRecord } from "../../base/is-record.ts"
import type { Tool } from "../../core/model/inputs.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import { ttlOf } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Usage } from "../../render/cache/price.ts"
import type { SentItem, SentPiece } from "../host/sent-items.ts"

type Fields = Readonly<Record<string, unknown>>

/** A message of pi. */
export interface PiMessage {
  readonly role: string
}

/** A tool of pi. */
export interface PiTool {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

/**
 * Whether the message is a part of the conversation that the model gets. pi's system messages are not: they hold its
 * prompt and its tools, and stay where they are. Nor are answers that failed, and commands that were run beside.
 */
export function isSpoken(message: PiMessage): boolean {
  const { role, stopReason, excludeFromContext }: Fields = { ...message }
  if (role === "assistant") return stopReason !== "error" && stopReason !== "aborted"
  return role !== "system" && excludeFromContext !== true
}

export function readMessage(message: PiMessage): Message {
  const fields: Fields = { ...message }
  if (message.role === "toolResult")
    return {
      role: "user",
      parts: [{ kind: "tool-result", id: String(fields.toolCallId), text: textsIn(fields).join("\n") }],
    }
  if (message.role === "assistant")
    return {
      role: "assistant",
      parts: blocksOf(fields).map((block) => readBlock(block, fields.api)),
    }
  if (!("content" in fields))
    return { role: "user", parts: fieldsOf(fields).map(({ text }) => ({ kind: "text", text })) }
  return { role: "user", parts: blocksOf(fields).map((block) => readBlock(block, undefined)) }
}

/** A summary, or a command of the person's: pi makes a user's message of its fields when it sends it. */
function fieldsOf(fields: Fields): readonly { readonly name: string; readonly text: string }[] {
  return ["command", "output", "summary"].flatMap((name) => {
    const text = fields[name]
    return typeof text === "string" ? [{ name, text }] : []
  })
}

function blocksOf({ content }: Fields): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return Array.isArray(content) ? content.filter(isRecord) : []
}

function textsIn(fields: Fields): readonly string[] {
  return blocksOf(fields).map(({ type, text }) => (typeof text === "string" ? text : `[${String(type)}]`))
}

function readBlock(block: Fields, api: unknown): MessagePart {
  const { type, text, id, name } = block
  if (type === "text" && typeof text === "string") return { kind: "text", text }
  // Claude's signature is bound to what was before it.
  if (type === "thinking")
    return { kind: "reasoning", text: "", ...(api === "anthropic-messages" && { data: { anthropic: {} } }) }
  if (type === "toolCall" && typeof id === "string")
    return { kind: "tool-call", id, name: String(name), input: block.arguments }
  return { kind: "native", format: "chat", value: { type: String(type), mimeType: block.mimeType } }
}

/** `messages` are all of pi's, and `spoken` those that the core has read. The rest keeps its place. */
export function writeMessages(
  items: readonly SentItem[],
  messages: readonly PiMessage[],
  spoken: readonly PiMessage[],
): readonly object[] {
  const written: object[] = []
  let next = 0
  for (const item of items) {
    const own = item.kind === "message" && item.at !== undefined ? spoken[item.at] : undefined
    const end = own === undefined ? next : messages.indexOf(own)
    written.push(...messages.slice(next, end), ...writeItem(item, own))
    next = own === undefined ? end : end + 1
  }
  return [...written, ...messages.slice(next)]
}

/**
 * pi's system messages with this head in the place where the session first has one. Later ones are changes to it that pi
 * has kept: a model that takes them would see the older head as well, though its audience may have changed.
 */
export function withHead(messages: readonly object[], { name, text }: HeadSection): readonly object[] {
  let isPlaced = false
  return messages.flatMap((message): readonly object[] => {
    const { sections, content, ...rest }: Fields = { ...message }
    if (rest.role !== "system" || !isRecord(sections) || !(name in sections)) return [message]
    const { [name]: _, ...others } = sections
    const isFirst = !isPlaced
    isPlaced = true
    if (isFirst && text !== "")
      return [{ ...message, sections: { ...sections, [name]: `<${name}>\n${text}\n</${name}>` } }]
    const isEmpty = Object.keys(others).length === 0 && !content && !rest.toolsAdded && !rest.toolsRemoved
    return isEmpty ? [] : [{ ...message, sections: others }]
  })
}

/** A section of pi's prompt, and the tag that pi puts around it. */
export interface HeadSection {
  readonly name: string
  readonly text: string
}

function writeItem(item: SentItem, own: PiMessage | undefined): readonly object[] {
  if (item.kind === "system") return [userMessage([item.text])]
  const { pieces } = item
  if (own === undefined) return [userMessage(tailsOf(pieces))]
  const fields: Fields = { ...own }
  if (own.role === "toolResult") return pieces.map((piece) => writeResult(piece, own))
  if (!("content" in fields)) return [...tailMessages(pieces), withGuarded(own, pieces)]
  const blocks = blocksOf(fields)
  const isPlain = pieces.every((piece) => piece.kind === "part" && piece.guarded === undefined)
  if (isPlain && pieces.length === blocks.length) return [own]
  const content = pieces.flatMap((piece): readonly Fields[] => {
    if (piece.kind === "tail") return [textBlock(piece.text)]
    const block = blocks[piece.part]
    if (block === undefined) return []
    return [piece.guarded === undefined ? block : { ...block, text: piece.guarded }]
  })
  return [{ ...own, content }]
}

function writeResult(piece: SentPiece, own: PiMessage): object {
  if (piece.kind === "tail") return userMessage([piece.text])
  if (piece.guarded === undefined) return own
  const rest = blocksOf({ ...own }).filter(({ type }) => type !== "text")
  return { ...own, content: [textBlock(piece.guarded), ...rest] }
}

function withGuarded(own: PiMessage, pieces: readonly SentPiece[]): object {
  const names = fieldsOf({ ...own }).map(({ name }) => name)
  const guarded = pieces.flatMap((piece) =>
    piece.kind === "part" && piece.guarded !== undefined ? [[names[piece.part], piece.guarded]] : [],
  )
  return guarded.length === 0 ? own : { ...own, ...Object.fromEntries(guarded) }
}

function tailMessages(pieces: readonly SentPiece[]): readonly object[] {
  const texts = tailsOf(pieces)
  return texts.length === 0 ? [] : [userMessage(texts)]
}

function tailsOf(pieces: readonly SentPiece[]): readonly string[] {
  return pieces.flatMap((piece) => (piece.kind === "tail" ? [piece.text] : []))
}

/** Never stored, so its time means nothing. */
function userMessage(texts: readonly string[]): object {
  return { role: "user", content: texts.map(textBlock), timestamp: 0 }
}

function textBlock(text: string): Fields {
  return { type: "text", text }
}

export function readTool({ name, description, parameters }: PiTool): Tool {
  return { name, description, parameters: { ...parameters } }
}

/** The usage of an answer; undefined for other messages, and for answers that failed. */
export function usageIn(message: PiMessage, model: string): Usage | undefined {
  const { usage }: Fields = { ...message }
  if (message.role !== "assistant" || !isSpoken(message) || !isRecord(usage)) return undefined
  const count = (name: string) => (typeof usage[name] === "number" ? usage[name] : 0)
  const hour = count("cacheWrite1h")
  const other = count("cacheWrite") - hour
  const { name } = ttlOf(ruleFor(model), undefined)
  return {
    uncached: count("input"),
    read: count("cacheRead"),
    write: { ...(hour > 0 && { "1h": hour }), ...(other > 0 && { [name]: other }) },
    output: count("output"),
  }
}
