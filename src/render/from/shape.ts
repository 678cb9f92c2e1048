// What the converters share: reading values from outside, keeping what our parts have no field for, and refusing what
// is no message. Everything that is kept is copied as plain JSON, so that it can be stored and nobody changes it later.
import { IncipitError } from "../../base/error.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import type { Message, MessagePart, Native, NativeFormat } from "../../core/model/message.ts"
import { toBase64 } from "../formats/bytes.ts"

export type Fields = Readonly<Record<string, unknown>>

/** One converter at work: its format, and its name for messages to people. */
export interface Reader {
  readonly format: NativeFormat
  readonly name: string
  /** What it takes. */
  readonly takes: string
}

export function refuse({ name, takes }: Reader, where: string, problem: string): never {
  throw new IncipitError("bad-sdk-messages", `${name}: ${where} ${problem}. Expected ${takes}.`)
}

export function fieldsOf(reader: Reader, value: unknown, where: string): Fields {
  if (!isFields(value)) refuse(reader, where, `is ${described(value)}, not an object`)
  return value
}

export function listOf(reader: Reader, value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) refuse(reader, where, `is ${described(value)}, not a list`)
  return value
}

export function textOf(reader: Reader, value: unknown, where: string): string {
  if (typeof value !== "string") refuse(reader, where, `is ${described(value)}, not text`)
  return value
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function described(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** The entry of a table. A name from outside may be that of a method which every object has. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Types of blocks that are easily passed to the wrong converter, each with those that read it. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  text: ["fromAnthropic", "fromChat", "fromAiSdk"],
  thinking: ["fromAnthropic"],
  redacted_thinking: ["fromAnthropic"],
  tool_use: ["fromAnthropic"],
  tool_result: ["fromAnthropic"],
  image_url: ["fromChat"],
  message: ["fromResponses"],
  input_text: ["fromResponses"],
  output_text: ["fromResponses"],
  function_call: ["fromResponses"],
  function_call_output: ["fromResponses"],
  reasoning: ["fromResponses", "fromAiSdk"],
  "tool-call": ["fromAiSdk"],
  "tool-result": ["fromAiSdk"],
}

/** Unknown types are kept as they are, so a type of another format must not pass for one. */
export function checkType(reader: Reader, type: unknown, where: string): string {
  const name = textOf(reader, type, `${where}.type`)
  const readers = own(READERS, name)
  if (readers !== undefined && !readers.includes(reader.name))
    refuse(reader, where, `has the type "${name}", which ${readers.join(" or ")} reads`)
  return name
}

/**
 * Fields that are not sent back. Cache marks are the caller's own: the renderer sets its own, and providers allow only a
 * few. The parsed values are the SDKs' own, from structured output, and the APIs refuse them.
 */
const NOT_SENT = ["cache_control", "prompt_cache_breakpoint", "parsed", "parsed_arguments", "parsed_output"]

/** The fields that are not read and can be sent. A field that is null or undefined counts as absent. */
export function restOf(value: Fields, read: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      read.includes(name) || NOT_SENT.includes(name) || field === undefined || field === null
        ? []
        : [[name, copyOf(field)]],
    ),
  )
}

/** As the `native` of a part. Left out if there is nothing to keep. */
export function kept(format: NativeFormat, value: Fields): { readonly native?: Native } {
  return Object.keys(value).length === 0 ? {} : { native: { format, value } }
}

/** A block that we have no kind for. */
export function nativePart(format: NativeFormat, value: Fields): MessagePart {
  return { kind: "native", format, value: unmarked(value) }
}

/** Fields of a message itself, as a part before those of its content. */
export function fieldParts(format: NativeFormat, fields: Fields): readonly MessagePart[] {
  return Object.keys(fields).length === 0 ? [] : [{ kind: "native", format, value: fields, fields: true }]
}

/** A copy of a block that can be sent, with the blocks of its content. */
export function unmarked(block: Fields): Fields {
  return Object.fromEntries(
    Object.entries(block).flatMap(([name, field]) => {
      if (NOT_SENT.includes(name) || field === undefined) return []
      if (name !== "content" || !Array.isArray(field)) return [[name, copyOf(field)]]
      return [[name, field.map((item) => (isFields(item) ? unmarked(item) : copyOf(item)))]]
    }),
  )
}

/** A copy as plain JSON. Bytes become base64 and addresses become text, as SDKs accept them too. */
export function copyOf(value: unknown, levels = MAX_JSON_DEPTH): unknown {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Uint8Array) return toBase64(value)
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value))
  if (value instanceof URL) return value.href
  if (value instanceof Date) return value.toISOString()
  if (levels === 0) throw new IncipitError("bad-sdk-messages", "A message is nested too deeply to be sent.")
  if (Array.isArray(value)) return value.map((item) => copyOf(item, levels - 1) ?? null)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === undefined || typeof field === "function" ? [] : [[name, copyOf(field, levels - 1)]],
    ),
  )
}

type CallPart = Extract<MessagePart, { kind: "tool-call" }>

/** A call whose arguments are JSON text. The text is kept if we would write it differently: caches compare bytes. */
export function callOf(
  format: NativeFormat,
  { id, name, text, rest }: { id: string; name: string; text: string; rest: Fields },
): CallPart {
  const input = parsed(text)
  if (isFields(input) && !isDeeperThan(input, MAX_JSON_DEPTH)) {
    const isSame = JSON.stringify(input) === text
    return {
      kind: "tool-call",
      id,
      name,
      input,
      ...kept(format, isSame ? rest : { ...rest, arguments: text }),
    }
  }
  const native = kept(format, { ...rest, arguments: text })
  // Some models write nothing for a call without arguments.
  if (text.trim() === "") return { kind: "tool-call", id, name, input: {}, ...native }
  return { kind: "tool-call", id, name, input: { unread: text }, unread: "malformed", ...native }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Collects the messages of a conversation. */
export interface Collector {
  readonly messages: readonly Message[]
  /** A message of its own. */
  message(role: Message["role"], parts: readonly MessagePart[]): void
  /** Continues the answer, for APIs that send its parts as separate items. */
  answer(parts: readonly MessagePart[]): void
  /** Results of consecutive items are one message, unless they are `apart`. */
  results(parts: readonly MessagePart[], are?: "apart"): void
  /** Joins results right before it, as a turn is built here: first the results, then what is said with them. */
  user(parts: readonly MessagePart[]): void
}

export function createCollector(): Collector {
  const messages: { readonly role: Message["role"]; readonly parts: MessagePart[] }[] = []
  /** The newest message, while it has only results. */
  let results: MessagePart[] | undefined
  const message = (role: Message["role"], parts: readonly MessagePart[]) => {
    results = undefined
    if (parts.length > 0) messages.push({ role, parts: [...parts] })
  }
  return {
    messages,
    message,
    answer(parts) {
      const last = messages.at(-1)
      if (last?.role === "assistant") last.parts.push(...parts)
      else message("assistant", parts)
    },
    results(parts, are) {
      if (results === undefined || are === "apart") messages.push({ role: "user", parts: [] })
      results = messages.at(-1)?.parts
      results?.push(...parts)
    },
    user(parts) {
      if (results === undefined) return message("user", parts)
      results.push(...parts)
      results = undefined
    },
  }
}
