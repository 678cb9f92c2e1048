// The content of a conversation as attributes of the GenAI conventions, bounded in size. Texts are redacted before they
// are cut to length. More of a long text is taken than is sent, so that no secret is cut in half.
import { thousands } from "../../base/text/figures.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import { nativeName } from "../../core/model/part-text.ts"
import type { RecordEvent } from "../write/event.ts"
import { jsonTexts } from "../write/json-texts.ts"
import { type Attribute, type Attributes, NAMES } from "./attributes.ts"

/** Characters of one text. */
const MOST_TEXT = 32_768
/** Longer than any secret with a known form. */
const MARGIN = 8_192
/** Characters of all texts of one attribute. */
const MOST_TEXTS = 131_072
const CUT = ` [cut: only the first ${thousands(MOST_TEXT)} characters are exported]`

/** Content in the conventions is JSON, except the result of a tool. */
const JSON_KEYS: ReadonlySet<string> = new Set([
  NAMES.data,
  NAMES.system,
  NAMES.inputMessages,
  NAMES.outputMessages,
  NAMES.arguments,
])

export function contentAttributes(event: RecordEvent): Attributes {
  const { data, exchange: { content } = {} } = event
  const input = content?.input && newest(content.input)
  const { output } = content ?? {}
  return {
    [NAMES.system]: content?.system && json(partsOf(content.system, textPart)),
    [NAMES.inputMessages]: input && json(input.messages.flatMap(wireMessages)),
    [NAMES.leftOut]: input?.leftOut || undefined,
    [NAMES.outputMessages]:
      output &&
      json([
        { role: "assistant", parts: partsOf(output, wirePart), finish_reason: finishReason(data?.finish) },
      ]),
    [NAMES.arguments]: content?.arguments === undefined ? undefined : json(bounded(content.arguments)),
    [NAMES.result]: content?.result && early(content.result),
    [NAMES.data]: data && json(data),
  }
}

/** Applies a function to the texts of content, then cuts them. Returns undefined for other attributes. */
export function withContentTexts(
  { key, value }: Attribute,
  change: (text: string) => string,
): Attribute | undefined {
  const isJson = JSON_KEYS.has(key)
  if (!("stringValue" in value) || (!isJson && key !== NAMES.result)) return undefined
  const { stringValue: text } = value
  if (!isJson) return { key, value: { stringValue: late(text, change(text)) } }
  const { texts, fill } = jsonTexts(text)
  return { key, value: { stringValue: fill(texts.map((given) => late(given, change(given)))) } }
}

/** The conventions' words; for the rest, those of the AI SDK. */
const FINISHES: ReadonlyMap<unknown, string> = new Map([
  ["tool-calls", "tool_call"],
  ["content-filter", "content_filter"],
])

export function finishReason(finish: unknown): string {
  return FINISHES.get(finish) ?? (typeof finish === "string" ? finish : "stop")
}

/** What does not fit is summarized in one more part. */
function partsOf<T extends string | MessagePart>(
  items: readonly T[],
  wire: (item: T) => object,
): readonly object[] {
  const kept = within(items)
  const leftOut = items.length - kept.length
  return [...kept.map(wire), ...(leftOut > 0 ? [textPart(`[${leftOut} more parts are not exported]`)] : [])]
}

/** As many of the newest messages as fit, at least one. */
function newest(messages: readonly Message[]): {
  readonly messages: readonly Message[]
  readonly leftOut: number
} {
  const kept = within(messages.toReversed()).toReversed()
  return { messages: kept, leftOut: messages.length - kept.length }
}

/** As many of the first items as fit, at least one. */
function within<T extends string | MessagePart | Message>(items: readonly T[]): readonly T[] {
  let room = MOST_TEXTS
  const end = items.findIndex((item, at) => {
    room -= sizeOf(item)
    return room < 0 && at > 0
  })
  return end === -1 ? items : items.slice(0, end)
}

function sizeOf(item: string | MessagePart | Message): number {
  if (typeof item === "string") return Math.min(item.length, MOST_TEXT)
  if ("parts" in item) return item.parts.reduce((sum, part) => sum + sizeOf(part), 0)
  if (item.kind === "native") return inputSize(item.value)
  return item.kind === "tool-call" ? inputSize(item.input) : Math.min(item.text.length, MOST_TEXT)
}

function inputSize(input: unknown): number {
  return Math.min(JSON.stringify(input)?.length ?? 0, MOST_TEXTS)
}

/** In the conventions, tool results are separate messages. */
function wireMessages({ role, parts }: Message): readonly object[] {
  const results = parts.filter(({ kind }) => kind === "tool-result")
  const others = parts.filter(({ kind }) => kind !== "tool-result")
  return [
    ...(results.length > 0 ? [{ role: "tool", parts: results.map(wirePart) }] : []),
    ...(others.length > 0 ? [{ role, parts: others.map(wirePart) }] : []),
  ]
}

function wirePart(part: MessagePart): object {
  if (part.kind === "text") return textPart(part.text)
  if (part.kind === "native") return { type: nativeName(part.value), content: bounded(part.value) }
  if (part.kind === "reasoning") return { type: "reasoning", content: early(part.text) }
  if (part.kind === "tool-result")
    return { type: "tool_call_response", id: part.id, response: early(part.text) }
  return { type: "tool_call", id: part.id, name: part.name, arguments: bounded(part.input) }
}

function textPart(text: string): object {
  return { type: "text", content: early(text) }
}

/** The input of a call is any JSON: long texts in it are cut; if it is still too long, only its size is reported. */
function bounded(input: unknown): unknown {
  const text = JSON.stringify(input) ?? "null"
  if (text.length <= MOST_TEXT) return input
  const { texts, fill } = jsonTexts(text)
  const cut = fill(texts.map(early))
  return cut.length <= MOST_TEXTS ? JSON.parse(cut) : `[not exported: ${text.length} characters]`
}

/** Before redaction. */
function early(text: string): string {
  return text.slice(0, MOST_TEXT + MARGIN)
}

/** After redaction. An early cut may end in half a secret, so its end is dropped. */
function late(given: string, shown: string): string {
  const wasCut = given.length >= MOST_TEXT + MARGIN
  const end = Math.min(MOST_TEXT, wasCut ? Math.max(0, shown.length - MARGIN) : shown.length)
  return end < shown.length ? `${shown.slice(0, end).toWellFormed()}${CUT}` : shown
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
