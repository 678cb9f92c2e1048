// What was said, as attributes after the GenAI conventions, bounded in size. Secrets are looked for before a text is
// cut to its length: so that none is cut in half, more of a long text is taken than is sent, and the rest is dropped.
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { RecordEvent } from "../write/event.ts"
import { jsonTexts } from "../write/json-texts.ts"
import { type Attribute, type Attributes, NAMES } from "./attributes.ts"

/** Characters of one text. */
const MOST_TEXT = 32_768
/** Longer than any secret that is known by its form. */
const MARGIN = 8_192
/** Characters of all texts of one attribute. */
const MOST_TEXTS = 131_072
const CUT = ` [cut: only the first ${MOST_TEXT.toLocaleString("en-US")} characters are exported]`

/** Content of the conventions is JSON, but for what a tool returned. */
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

/** The texts of content through a function, and then cut; undefined for an attribute of another kind. */
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

/** In the conventions' words; those of the AI SDK for the rest. */
const FINISHES: ReadonlyMap<unknown, string> = new Map([
  ["tool-calls", "tool_call"],
  ["content-filter", "content_filter"],
])

export function finishReason(finish: unknown): string {
  return FINISHES.get(finish) ?? (typeof finish === "string" ? finish : "stop")
}

/** What does not fit is told as one more part. */
function partsOf<T extends string | MessagePart>(
  items: readonly T[],
  wire: (item: T) => object,
): readonly object[] {
  const kept = within(items)
  const leftOut = items.length - kept.length
  return [...kept.map(wire), ...(leftOut > 0 ? [textPart(`[${leftOut} more parts are not exported]`)] : [])]
}

/** As many of the newest messages as there is room for, and at least one. */
function newest(messages: readonly Message[]): {
  readonly messages: readonly Message[]
  readonly leftOut: number
} {
  const kept = within(messages.toReversed()).toReversed()
  return { messages: kept, leftOut: messages.length - kept.length }
}

/** The first that there is room for, and at least one. */
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
  return item.kind === "tool-call" ? inputSize(item.input) : Math.min(item.text.length, MOST_TEXT)
}

function inputSize(input: unknown): number {
  return Math.min(JSON.stringify(input)?.length ?? 0, MOST_TEXTS)
}

/** Results of tools are messages of their own in the conventions. */
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
  if (part.kind === "reasoning") return { type: "reasoning", content: early(part.text) }
  if (part.kind === "tool-result")
    return { type: "tool_call_response", id: part.id, response: early(part.text) }
  return { type: "tool_call", id: part.id, name: part.name, arguments: bounded(part.input) }
}

function textPart(text: string): object {
  return { type: "text", content: early(text) }
}

/** The input of a call is any JSON: long texts in it are cut, and one that is too long all the same is only measured. */
function bounded(input: unknown): unknown {
  const text = JSON.stringify(input) ?? "null"
  if (text.length <= MOST_TEXT) return input
  const { texts, fill } = jsonTexts(text)
  const cut = fill(texts.map(early))
  return cut.length <= MOST_TEXTS ? JSON.parse(cut) : `[not exported: ${text.length} characters]`
}

/** Before secrets are looked for. */
function early(text: string): string {
  return text.slice(0, MOST_TEXT + MARGIN)
}

/** After that. What was cut early may end in half a secret, so its end is dropped. */
function late(given: string, shown: string): string {
  const wasCut = given.length >= MOST_TEXT + MARGIN
  const end = Math.min(MOST_TEXT, wasCut ? Math.max(0, shown.length - MARGIN) : shown.length)
  return end < shown.length ? `${shown.slice(0, end).toWellFormed()}${CUT}` : shown
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
