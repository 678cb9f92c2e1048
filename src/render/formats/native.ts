// Data of one provider in a conversation that another renderer writes. Such parts are left out, and the request says so.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { oncePerObject } from "../../base/memo/once.ts"
import { privateField } from "../../base/memo/private-field.ts"
import type { Message, MessagePart, Native, NativeFormat } from "../../core/model/message.ts"
import { nativeName } from "../../core/model/part-text.ts"
import { fileIn } from "./file-part.ts"

interface OwnMessage {
  readonly message: Message
  /** The types of what is left out. */
  readonly leftOut: readonly ForeignType[]
}

interface ForeignType {
  readonly format: NativeFormat
  readonly type: string
}

export interface OwnConversation {
  readonly messages: readonly Message[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Makes a function that removes from a conversation what only other formats can send. Parts keep their indexes, and a
 * message with nothing to remove stays the same object. A format of `undefined` has no data of its own.
 */
export function ownParts(
  format: NativeFormat | undefined,
): (messages: readonly Message[]) => OwnConversation {
  const own = oncePerObject((message: Message) => ownMessage(message, format), privateField())
  return (messages) => {
    const all = messages.map(own)
    const diagnostics = summed(all.flatMap(({ leftOut }) => leftOut))
    const isSame = all.every(({ message }, at) => message === messages[at])
    return { messages: isSame ? messages : all.map(({ message }) => message), diagnostics }
  }
}

/** The fields that this format put beside a part, if any. */
export function nativeOf(part: { readonly native?: Native }, format: NativeFormat): Native["value"] {
  return part.native?.format === format ? part.native.value : NO_FIELDS
}

const NO_FIELDS: Native["value"] = {}

/** A block, an item or a message that came from this format's own API and goes back unchanged. Only the API knows its type. */
export function asItCame<T>({ value }: Native): T {
  return value as T
}

function ownMessage(message: Message, format: NativeFormat | undefined): OwnMessage {
  const written = message.parts.map((part) => withFile(part, format))
  const leftOut = written.flatMap((part) => foreignIn(part, format))
  // Empty text isn't sent, and the indexes of the other parts stay the same.
  const parts = written.map(
    (part): MessagePart => (isForeign(part, format) ? { kind: "text", text: "" } : part),
  )
  const isSame = parts.every((part, at) => part === message.parts[at])
  return { message: isSame ? message : { ...message, parts }, leftOut }
}

/** A file in the form of this format, if it has one. */
function withFile(part: MessagePart, format: NativeFormat | undefined): MessagePart {
  const file = part.kind === "native" && part.format === "file" ? fileIn(part.value, format) : undefined
  return file === undefined ? part : { kind: "native", ...file }
}

function isForeign(part: MessagePart, format: NativeFormat | undefined): boolean {
  return part.kind === "native" && part.format !== format
}

function foreignIn(part: MessagePart, format: NativeFormat | undefined): readonly ForeignType[] {
  if (part.kind === "native")
    return part.format === format || part.fields
      ? []
      : [{ format: part.format, type: nativeName(part.value) }]
  if (part.kind !== "tool-result" || part.native === undefined) return []
  const { format: from, value } = part.native
  const blocks = blocksIn(value)
  if (from === format && (from === "google" || readable(blocks) === part.text)) return []
  return blocks
    .filter((block) => !("text" in block || "json" in block))
    .map((block) => ({ format: from, type: nativeName(block) }))
}

/** The blocks of a result: in a field, or one level below. Google has them beside the text, the others instead of it. */
function blocksIn(value: object, depth = 1): readonly Readonly<Record<string, unknown>>[] {
  return Object.values(value).flatMap((field): readonly Readonly<Record<string, unknown>>[] => {
    if (Array.isArray(field)) return field.filter((block) => typeof block === "object" && block !== null)
    return depth > 0 && typeof field === "object" && field !== null ? blocksIn(field, depth - 1) : []
  })
}

function summed(all: readonly ForeignType[]): readonly Diagnostic[] {
  const counts = new Map<string, ForeignType & { count: number }>()
  for (const one of all) {
    const key = `${one.format} ${one.type}`
    const row = counts.get(key) ?? { ...one, count: 0 }
    row.count += 1
    counts.set(key, row)
  }
  return [...counts.values()].map(({ format, type, count }) => ({
    code: "native-left-out",
    ...{ format, type, count },
  }))
}

/** A list of blocks as text, for providers that take no list. Blocks without text appear by their type. */
export function readable(blocks: readonly unknown[]): string {
  return blocks.map(blockText).join("\n")
}

function blockText(block: unknown): string {
  if (typeof block !== "object" || block === null) return "[data]"
  // Fields are only read by name, and each may be missing.
  const fields = block as Readonly<Record<string, unknown>>
  if ("json" in fields) return JSON.stringify(fields.json)
  return typeof fields.text === "string" ? fields.text : `[${nativeName(fields)}]`
}

/** The list that a result was read from. Returns undefined if the text was cut or redacted since: then only it is sent. */
export function listSaying(text: string, list: unknown): readonly unknown[] | undefined {
  return Array.isArray(list) && readable(list) === text ? list : undefined
}
