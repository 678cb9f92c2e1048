// Reads items and results from the store. Earlier versions stored the return value of a program's tool unchanged, so
// the text of a result may be a number, an object or missing: the session must still work.

import { storedText } from "../../base/text/result-text.ts"
import type { MessagePart } from "../../core/model/message.ts"
import type { ToolResult } from "../contract/runs.ts"
import type { Item } from "../contract/transcripts.ts"
import { itemFrom } from "./earlier-rows.ts"

/** A disk may corrupt bytes without SQLite noticing: invalid JSON must not end the conversation. */
const LOST: Item = {
  kind: "custom",
  by: "incipit",
  text: "Part of this conversation was damaged on disk and is missing here.",
}

/** Text that was written as an item is read as one. */
export function itemIn(json: string): Item {
  try {
    return readableItem(itemFrom(json))
  } catch (error) {
    if (error instanceof SyntaxError) return LOST
    throw error
  }
}

function readableItem(item: Item): Item {
  if (item.kind !== "message" || item.message.parts.every(isReadable)) return item
  return { ...item, message: { ...item.message, parts: item.message.parts.map(readablePart) } }
}

export function readableResult({ text, isError, files }: ToolResult): ToolResult {
  return { text: storedText(text), isError: isError === true, ...(files && { files }) }
}

function isReadable(part: MessagePart): boolean {
  return part.kind !== "tool-result" || typeof part.text === "string"
}

function readablePart(part: MessagePart): MessagePart {
  return part.kind === "tool-result" ? { ...part, text: storedText(part.text) } : part
}
