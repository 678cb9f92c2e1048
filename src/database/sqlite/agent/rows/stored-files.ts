// Files that came with messages, in SQLite. Their bytes are stored once, apart from the messages and items that name them
// by SHA-256: a conversation with pictures stays quick to read and to write, and a fork copies no bytes.
import { createHash } from "node:crypto"
import type { MessagePart, Native } from "../../../../core/model/message.ts"
import type { Incoming } from "../../../contract/inbox.ts"
import type { MessageFile } from "../../../contract/message-file.ts"
import type { Item } from "../../../contract/transcripts.ts"
import type { Database } from "../../database.ts"
import type { StoreFile } from "../store-file.ts"

/** The message as JSON for the inbox. Within a transaction. */
export function messageJson(file: StoreFile, session: string, message: Incoming): string {
  const { files } = message
  if (files === undefined) return JSON.stringify(message)
  return JSON.stringify({ ...message, files: files.map((one) => storedApart(file, session, { ...one })) })
}

/** The item as JSON for the transcript. Within a transaction. */
export function itemJson(file: StoreFile, session: string, item: Item): string {
  return JSON.stringify(
    withParts(item, (part) => withValue(part, (value) => storedApart(file, session, value))),
  )
}

export function messageFrom(database: Database, session: string, json: string): Incoming {
  // What `messageJson` wrote, or a store that came with a folder.
  const message = JSON.parse(json) as Incoming
  const { files } = message
  if (!Array.isArray(files)) return message
  const read = (one: MessageFile) => {
    // All but the bytes is as it was given.
    const { data, ...file } = withBytes(database, session, { ...one }) as Omit<MessageFile, "data"> &
      FileValue
    return typeof data === "string" ? { ...file, data } : { ...file, ...LOST_FILE }
  }
  return { ...message, files: files.map(read) }
}

export function itemWithBytes(database: Database, session: string, item: Item): Item {
  return withParts(item, (part) => {
    const read = withValue(part, (value) => withBytes(database, session, value))
    const value = fileOf(read)?.value
    return value === undefined || typeof value.data === "string" ? read : LOST_PART
  })
}

/** How long the files of an item are, as it holds them. */
export function bytesIn(item: Item): number {
  const parts = item.kind === "message" ? item.message.parts : []
  return parts.reduce((sum, part) => sum + String(fileOf(part)?.value.data ?? "").length, 0)
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

function storedApart(file: StoreFile, session: string, value: FileValue): FileValue {
  const { data, ...rest } = value
  if (typeof data !== "string") return value
  const bytes = Buffer.from(data, "base64")
  // Whatever is read must be what was written, to the letter.
  if (bytes.toString("base64") !== data) return value
  const sha256 = sha256Of(bytes)
  const { database, now } = file
  if (database.get("SELECT 1 FROM files WHERE sha256 = ?", sha256) === undefined)
    database.run("INSERT INTO files (sha256, bytes) VALUES (?, ?)", sha256, bytes)
  database.run(
    "INSERT OR REPLACE INTO file_uses (session_id, sha256, at) VALUES (?, ?, ?)",
    ...[session, sha256, now()],
  )
  return { ...rest, sha256 }
}

/** Only files that came into this session: a digest is no key to those of others. */
function withBytes(database: Database, session: string, value: FileValue): FileValue {
  const { sha256, ...rest } = value
  if (typeof sha256 !== "string") return value
  const row = database.get(
    "SELECT bytes FROM files JOIN file_uses USING (sha256) WHERE session_id = ? AND sha256 = ?",
    ...[session, sha256],
  )
  const bytes = row?.bytes
  return bytes instanceof Uint8Array ? { ...rest, data: Buffer.from(bytes).toString("base64") } : rest
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
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
