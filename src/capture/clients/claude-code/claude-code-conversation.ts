// A conversation as the rows of a transcript tell it: messages in their order, and the files that the client says it has
// put among them. System text and tools are not there, so a request made of it is a part of what was sent. Used where
// the client did not write down what its requests were made of.
import { isList, isObject, type Json, type JsonObject } from "../../../record/write/request-marks.ts"
import type { SeenFile } from "../../call.ts"
import type { JsonRow } from "../json-rows.ts"
import { listAt, objectAt, textAt } from "../row-fields.ts"

export interface Conversation {
  /** A row of any type. */
  add(line: JsonRow): void
  /** So far. Undefined if nothing is known of it, or it is longer than any that a model takes. */
  messages(): readonly JsonObject[] | undefined
  /** The same list until there is another file. */
  files(): readonly SeenFile[]
}

/** Bytes of rows, which repeat the results of tools. */
const MOST_BYTES = 128 << 20

export function createConversation(): Conversation {
  const sent: Sent[] = []
  let files: readonly SeenFile[] = []
  let bytes = 0
  /** How many messages there were after a row, by its id. */
  const lengths = new Map<string, number>()
  const begin = () => {
    sent.length = 0
    files = []
    bytes = 0
    lengths.clear()
  }
  return {
    add: ({ row, start, end }) => {
      if (isBeginning(row)) begin()
      bytes += end - start
      if (bytes > MOST_BYTES) return begin()
      const before = isPrompt(row) ? lengths.get(textAt(row, "parentUuid") ?? "") : undefined
      // Somebody went back to an earlier message and asked something else.
      if (before !== undefined) sent.length = before
      for (const next of sentIn(row)) append(sent, next)
      lengths.set(textAt(row, "uuid") ?? "", sent.length)
      const seen = filesIn(row).filter((file) => !files.some((known) => isSame(known, file)))
      if (seen.length > 0) files = [...files, ...seen]
    },
    messages: () => (sent.length === 0 ? undefined : sent.map(({ message }) => message)),
    files: () => files,
  }
}

function isBeginning({ type, subtype, parentUuid }: JsonObject): boolean {
  return subtype === "compact_boundary" || (type === "user" && parentUuid === null)
}

interface Sent {
  readonly message: JsonObject
  /** Of the answer that it is a part of. */
  readonly answer?: string | undefined
}

function isSame(a: SeenFile, b: SeenFile): boolean {
  return a.path === b.path && a.text === b.text
}

/** What somebody wrote, as opposed to the result of a tool. */
function isPrompt({ type, message }: JsonObject): boolean {
  const content = isObject(message) ? message.content : undefined
  if (type !== "user") return false
  return !isList(content) || !content.some((block) => isObject(block) && block.type === "tool_result")
}

/** What a row adds to a request. */
function sentIn(row: JsonObject): readonly Sent[] {
  if (row.isVisibleInTranscriptOnly === true) return []
  const { content } = objectAt(row, "message")
  if (row.type === "user" && content !== undefined) return [{ message: { role: "user", content } }]
  if (row.type === "assistant" && content !== undefined)
    return [{ message: { role: "assistant", content }, answer: textAt(objectAt(row, "message"), "id") }]
  if (row.type !== "attachment") return []
  const role = textAt(row, "renderedRole") ?? "user"
  return listAt(row, "rendered").flatMap((item) =>
    isObject(item) && item.content !== undefined ? [{ message: { role, content: item.content } }] : [],
  )
}

/** Rows of one answer are one message. */
function append(sent: Sent[], next: Sent): void {
  const last = next.answer === undefined ? undefined : sent.at(-1)
  if (last?.answer !== next.answer || last === undefined) {
    sent.push(next)
    return
  }
  const content = [...listAt(last.message, "content"), ...listAt(next.message, "content")]
  sent[sent.length - 1] = { ...last, message: { ...last.message, content } }
}

/** Instruction files and files that somebody named in a message. */
function filesIn(row: JsonObject): readonly SeenFile[] {
  if (row.type !== "attachment") return []
  const attachment = objectAt(row, "attachment")
  const content = objectAt(attachment, "content")
  return [...listAt(attachment, "files"), content, objectAt(content, "file")].flatMap(seenFile)
}

function seenFile(value: Json): readonly SeenFile[] {
  const path = isObject(value) ? (textAt(value, "path") ?? textAt(value, "filePath")) : undefined
  const text = isObject(value) ? textAt(value, "content") : undefined
  return path === undefined || text === undefined ? [] : [{ path, text }]
}
