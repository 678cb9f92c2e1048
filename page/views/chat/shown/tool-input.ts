// What went into a tool, for people: the one field that says most in a line, and all of it in full.
import { isRecord } from "../../../../src/base/is-record.ts"

/** What says most, in this order. */
const TELLING = ["command", "path", "query", "pattern", "url", "task", "text", "what", "name"]
const MOST = 200

export function inputLine(input: unknown): string {
  if (input === undefined) return ""
  const named = isRecord(input)
    ? TELLING.map((name) => input[name]).find((value) => typeof value === "string")
    : input
  const text =
    typeof named === "string" ? named : input === null || isEmpty(input) ? "" : JSON.stringify(input)
  return text.slice(0, MOST).replaceAll(/\s+/g, " ")
}

export function inputText(input: unknown): string {
  if (input === undefined || isEmpty(input)) return ""
  return typeof input === "string" ? input : JSON.stringify(input, null, 2)
}

/** Of a tool that changes a part of a file: what it replaces with what. */
export function shownChange(
  tool: string,
  input: unknown,
): { readonly before: string | undefined; readonly after: string } | undefined {
  if (!isRecord(input)) return undefined
  const { old, new: now, text } = input
  if (tool === "edit" && typeof old === "string" && typeof now === "string")
    return { before: old, after: now }
  return tool === "write" && typeof text === "string" ? { before: undefined, after: text } : undefined
}

function isEmpty(input: unknown): boolean {
  return isRecord(input) && Object.keys(input).length === 0
}
