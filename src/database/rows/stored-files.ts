// Files that came with messages, for every driver. Their bytes are stored once, apart from the messages and items that name
// them by SHA-256: a conversation with pictures stays quick to read and to write, and a fork copies no bytes.
import { createHash } from "node:crypto"
import type { MessagePart, Native } from "../../core/model/message.ts"
import type { Incoming } from "../contract/inbox.ts"
import type { MessageFile } from "../contract/message-file.ts"
import type { Item } from "../contract/transcripts.ts"

/** What is stored of a message or an item: JSON without the bytes, and the bytes that it names. */
export interface Apart {
  readonly json: string
  readonly files: readonly StoredBytes[]
}

export interface StoredBytes {
  readonly sha256: string
  readonly bytes: Uint8Array
}

/** Only files that came into the session: a digest is no key to those of others. */
export type BytesOf = (sha256: string) => Uint8Array | undefined

export function messageApart(message: Incoming): Apart {
  const { files } = message
  if (files === undefined) return { json: JSON.stringify(message), files: [] }
  const found: StoredBytes[] = []
  const values = files.map((one) => apart({ ...one }, found))
  return { json: JSON.stringify({ ...message, files: values }), files: found }
}

export function itemApart(item: Item): Apart {
  const found: StoredBytes[] = []
  const json = JSON.stringify(withParts(item, (part) => withValue(part, (value) => apart(value, found))))
  return { json, files: found }
}

export function messageFrom(json: string, bytesOf: BytesOf): Incoming {
  // What `messageApart` made, or a store that came with a folder.
  const message = JSON.parse(json) as Incoming
  const { files } = message
  if (!Array.isArray(files)) return message
  const read = (one: MessageFile) => {
    // All but the bytes is as it was given.
    const { data, ...file } = withBytes({ ...one }, bytesOf) as Omit<MessageFile, "data"> & FileValue
    return typeof data === "string" ? { ...file, data } : { ...file, ...LOST_FILE }
  }
  return { ...message, files: files.map(read) }
}

export function itemWithBytes(item: Item, bytesOf: BytesOf): Item {
  return withParts(item, (part) => {
    const read = withValue(part, (value) => withBytes(value, bytesOf))
    const value = fileOf(read)?.value
    return value === undefined || typeof value.data === "string" ? read : LOST_PART
  })
}

/** How long the files of an item are, as it holds them. */
export function bytesIn(item: Item): number {
  return valuesIn(item).reduce((sum, { data }) => sum + String(data ?? "").length, 0)
}

/** The files that the JSON of a message names. */
export function digestsInMessage(json: string): readonly string[] {
  // What `messageApart` made.
  const { files } = JSON.parse(json) as { readonly files?: readonly FileValue[] }
  return (files ?? []).flatMap(digestIn)
}

/** The files that an item names, before they are read. */
export function digestsInItem(item: Item): readonly string[] {
  return valuesIn(item).flatMap(digestIn)
}

/** A damaged disk may have lost the bytes. The model is told, so that nobody wonders. */
const LOST_TEXT = "A file was here; it was damaged on disk."
const LOST_FILE: MessageFile = {
  mediaType: "text/plain",
  data: Buffer.from(LOST_TEXT).toString("base64"),
}
const LOST_PART: MessagePart = { kind: "text", text: LOST_TEXT }

/** A file as it is stored or read: its name, its type, and its bytes as `data` or by their digest as `sha256`. */
type FileValue = Native["value"]

function apart(value: FileValue, found: StoredBytes[]): FileValue {
  const { data, ...rest } = value
  if (typeof data !== "string") return value
  const bytes = Buffer.from(data, "base64")
  // Whatever is read must be what was written, to the letter.
  if (bytes.toString("base64") !== data) return value
  const sha256 = sha256Of(bytes)
  found.push({ sha256, bytes })
  return { ...rest, sha256 }
}

function withBytes(value: FileValue, bytesOf: BytesOf): FileValue {
  const { sha256, ...rest } = value
  if (typeof sha256 !== "string") return value
  const bytes = bytesOf(sha256)
  return bytes === undefined ? rest : { ...rest, data: Buffer.from(bytes).toString("base64") }
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

function digestIn({ sha256 }: FileValue): readonly string[] {
  return typeof sha256 === "string" ? [sha256] : []
}

function valuesIn(item: Item): readonly FileValue[] {
  const parts = item.kind === "message" ? item.message.parts : []
  return parts.flatMap((part) => {
    const file = fileOf(part)
    return file === undefined ? [] : [file.value]
  })
}

function withParts(item: Item, change: (part: MessagePart) => MessagePart): Item {
  if (item.kind !== "message") return item
  const parts = item.message.parts.map(change)
  const isSame = parts.every((part, at) => part === item.message.parts[at])
  return isSame ? item : { ...item, message: { ...item.message, parts } }
}

/** The file that a part is or carries. */
function fileOf(part: MessagePart): Native | undefined {
  const native = part.kind === "native" ? part : part.native
  return native?.format === "file" ? native : undefined
}

function withValue(part: MessagePart, change: (value: FileValue) => FileValue): MessagePart {
  const native = fileOf(part)
  if (native === undefined) return part
  const value = change(native.value)
  if (part.kind === "native") return { ...part, value }
  return { ...part, native: { ...native, value } }
}
