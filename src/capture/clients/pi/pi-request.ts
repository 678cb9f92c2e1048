// The requests of a pi session, as far as it has them. Its entries are a tree, and a call was sent the way from the root
// to its own entry. Since 0.87 the system text is among them, in sections, and so are the tools; before, neither. Put
// together in the form of Anthropic's API, whatever the provider was.
import { oncePerObject } from "../../../base/memo/once.ts"
import { isObject, type Json, type JsonObject } from "../../../record/write/request-marks.ts"
import type { SeenFile } from "../../call.ts"
import { listAt, objectAt, textAt } from "../row-fields.ts"

export interface PiRequests {
  take(row: JsonObject): void
  /** Of the call that was answered by this entry, which was taken before. */
  request(entry: JsonObject, model: string): JsonObject
  /** Instruction files in the system text of that call. */
  files(entry: JsonObject): readonly SeenFile[]
}

interface Entry {
  readonly id: string
  readonly parent: Entry | undefined
  readonly row: JsonObject
  /** What it adds to the conversation. */
  readonly message: JsonObject | undefined
  /** What stands before the conversation, from here on. */
  readonly frame: Frame
}

/** Sections of the system text, and tools, by name. */
interface Frame {
  readonly sections: ReadonlyMap<string, string>
  readonly tools: ReadonlyMap<string, JsonObject>
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>()
const NO_FRAME: Frame = { sections: NOTHING, tools: NOTHING }

/** The conversation up to an entry: the next call mostly goes on from there. */
interface Known {
  readonly entry: Entry | undefined
  readonly messages: readonly JsonObject[]
}

export function createPiRequests(): PiRequests {
  const entries = new Map<string, Entry>()
  let last: Entry | undefined
  let known: Known = { entry: undefined, messages: [] }
  /** The entry before the answer. */
  const before = (row: JsonObject) => entries.get(textAt(row, "id") ?? `${entries.size - 1}`)?.parent
  return {
    take(row) {
      if (row.type === "session") return
      const id = textAt(row, "id") ?? `${entries.size}`
      // The first form of a session has no tree.
      const parent = "parentId" in row ? entries.get(textAt(row, "parentId") ?? "") : last
      last = { id, parent, row, message: messageOf(row), frame: frameAfter(parent?.frame ?? NO_FRAME, row) }
      entries.set(id, last)
    },
    request(row, model) {
      const entry = before(row)
      known = { entry, messages: messagesTo(entry, known) }
      return requestOf(entry?.frame ?? NO_FRAME, known.messages, model)
    },
    files: (row) => filesIn(before(row)?.frame ?? NO_FRAME),
  }
}

function messagesTo(entry: Entry | undefined, known: Known): readonly JsonObject[] {
  const way: Entry[] = []
  let at = entry
  while (at !== undefined && at !== known.entry && at.row.type !== "compaction") {
    way.push(at)
    at = at.parent
  }
  if (at !== undefined && at === known.entry) return joined(known.messages, messagesIn(way.reverse()))
  for (; at !== undefined; at = at.parent) way.push(at)
  return joined([], conversation(way.reverse()))
}

function requestOf({ sections, tools }: Frame, messages: readonly JsonObject[], model: string): JsonObject {
  const system = [...sections.values()].join("\n\n")
  return {
    model,
    ...(tools.size > 0 && { tools: [...tools.values()] }),
    ...(system !== "" && { system: [{ type: "text", text: system }] }),
    messages,
  }
}

/** After a compaction: its summary, what it kept, and what came then. */
function conversation(way: readonly Entry[]): readonly JsonObject[] {
  const at = way.findLastIndex(({ row }) => row.type === "compaction")
  const compaction = way[at]?.row
  if (compaction === undefined) return messagesIn(way)
  const kept = way.findIndex(({ id }) => id === textAt(compaction, "firstKeptEntryId"))
  return [
    { role: "user", content: textBlocks(compaction.summary) },
    ...listAt(compaction, "retainedTail").filter(isObject).flatMap(sentMessage),
    ...messagesIn(kept === -1 ? [] : way.slice(kept, at)),
    ...messagesIn(way.slice(at + 1)),
  ]
}

function messagesIn(way: readonly Entry[]): readonly JsonObject[] {
  return way.flatMap(({ message }) => (message === undefined ? [] : [message]))
}

/** What an entry adds to the conversation. */
function messageOf(row: JsonObject): JsonObject | undefined {
  if (row.type === "message") return sentMessage(objectAt(row, "message"))[0]
  if (row.type === "custom_message") return { role: "user", content: textBlocks(row.content) }
  if (row.type === "branch_summary") return { role: "user", content: textBlocks(row.summary) }
  return undefined
}

function sentMessage(message: JsonObject): readonly JsonObject[] {
  switch (message.role) {
    case "user":
    case "custom":
    case "hookMessage":
      return [{ role: "user", content: textBlocks(message.content) }]
    case "assistant":
      return [
        { role: "assistant", content: listAt(message, "content").filter(isObject).flatMap(answerBlock) },
      ]
    case "toolResult":
      return [{ role: "user", content: [toolResult(message)] }]
    case "bashExecution":
      if (message.excludeFromContext === true) return []
      return [
        { role: "user", content: textBlocks(`${textAt(message, "command")}\n${textAt(message, "output")}`) },
      ]
    case "branchSummary":
    case "compactionSummary":
      return [{ role: "user", content: textBlocks(message.summary) }]
    default:
      return []
  }
}

function answerBlock(block: JsonObject): readonly JsonObject[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: textAt(block, "text") ?? "" }]
    case "thinking":
      return [{ type: "thinking", thinking: textAt(block, "thinking") ?? "" }]
    case "toolCall":
      return [
        {
          type: "tool_use",
          id: textAt(block, "id") ?? "",
          name: textAt(block, "name") ?? "",
          input: objectAt(block, "arguments"),
        },
      ]
    default:
      return []
  }
}

function toolResult(message: JsonObject): JsonObject {
  const id = textAt(message, "toolCallId") ?? ""
  return { type: "tool_result", tool_use_id: id, content: textBlocks(message.content) }
}

function textBlocks(content: Json | undefined): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isObject).flatMap((block): readonly JsonObject[] => {
    if (block.type === "text") return [{ type: "text", text: textAt(block, "text") ?? "" }]
    if (block.type !== "image") return []
    const source = {
      type: "base64",
      media_type: textAt(block, "mimeType") ?? "",
      data: textAt(block, "data") ?? "",
    }
    return [{ type: "image", source }]
  })
}

/** A new list, with these behind. Results of one answer's tools are one message. */
function joined(before: readonly JsonObject[], added: readonly JsonObject[]): readonly JsonObject[] {
  const messages = [...before]
  for (const message of added) {
    const last = messages.at(-1)
    if (last === undefined || !hasOnlyResults(last) || !hasOnlyResults(message)) messages.push(message)
    else
      messages[messages.length - 1] = {
        ...last,
        content: [...listAt(last, "content"), ...listAt(message, "content")],
      }
  }
  return messages
}

function hasOnlyResults(message: JsonObject): boolean {
  const content = listAt(message, "content")
  return content.length > 0 && content.every((block) => isObject(block) && block.type === "tool_result")
}

/** A later entry replaces what it has. */
function frameAfter(before: Frame, row: JsonObject): Frame {
  const message = objectAt(row, "message")
  if (row.type !== "message" || message.role !== "system") return before
  const sections = new Map(before.sections)
  for (const [name, text] of Object.entries(objectAt(message, "sections")))
    if (typeof text === "string") sections.set(name, text)
    else sections.delete(name)
  const tools = new Map(before.tools)
  for (const tool of listAt(message, "toolsRemoved").filter(isObject))
    tools.delete(textAt(tool, "name") ?? "")
  for (const tool of listAt(message, "toolsAdded").filter(isObject)) {
    const name = textAt(tool, "name") ?? ""
    const description = textAt(tool, "description") ?? ""
    tools.set(name, { name, description, input_schema: objectAt(tool, "parameters") })
  }
  return { sections, tools }
}

const INSTRUCTIONS = /<project_instructions path="([^"\n]+)">\n([\s\S]*?)\n<\/project_instructions>/g

/** The same list for the same frame: it is that of most calls of a session. */
const filesIn = oncePerObject(({ sections }: Frame): readonly SeenFile[] => {
  const found = sections.get("project_context")?.matchAll(INSTRUCTIONS) ?? []
  return [...found].map(([, path = "", text = ""]) => ({ path, text }))
})
