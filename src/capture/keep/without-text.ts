// A request without its text: its form, with a digest in the place of each text. Equal texts stay equal, so that requests
// can still be compared, and names of tools stay, so that a change can be named.
import { canonicalJson } from "../../base/digest.ts"
import { refOf } from "../../database/text-ref.ts"
import { isList, isObject, type Json, type JsonObject } from "../../record/write/request-marks.ts"

/** Fields of the providers' formats that hold others. Every other field is a text, whatever it holds. */
const FORM: ReadonlySet<string> = new Set([
  ...["messages", "input", "contents", "system", "instructions", "systemInstruction", "system_instruction"],
  ...["tools", "functionDeclarations", "function", "content", "parts", "tool_calls", "output", "text"],
  ...["cache_control", "prompt_cache_breakpoint", "thinking", "reasoning", "output_config"],
])

/** Fields whose value is a word of the format, or a name. */
const WORDS: ReadonlySet<string> = new Set([
  ...["type", "role", "model", "name", "ttl", "effort", "stream", "store", "max_tokens", "budget_tokens"],
  ...["max_output_tokens", "temperature", "top_p", "top_k", "parallel_tool_calls", "service_tier"],
])

const WORD = /^[\w.:/@-]{1,128}$/
/** Deeper values are one text. */
const DEEPEST = 12

export function withoutText(request: JsonObject): JsonObject {
  return stripObject(request, 0)
}

/** In the place of a text that is not kept. */
export function textMark({ text }: { readonly text: string }): string {
  return `[text ${refOf(text)}]`
}

function strip(value: Json, depth: number): Json {
  if (typeof value === "string") return textMark({ text: value })
  if (typeof value !== "object" || value === null) return value
  if (depth > DEEPEST) return textMark({ text: canonicalJson(value) })
  return isList(value) ? value.map((item) => strip(item, depth + 1)) : stripObject(value, depth)
}

function stripObject(value: JsonObject, depth: number): JsonObject {
  const kept: [string, Json][] = []
  const others: [string, Json][] = []
  // A call's arguments are a text; only the input of a request has a form. A message may have a person's name.
  const isText = (key: string) => (key === "input" && depth > 0) || (key === "name" && "role" in value)
  for (const [key, item] of Object.entries(value)) {
    if (WORDS.has(key) && isWord(item) && !isText(key)) kept.push([key, item])
    else if (FORM.has(key) && !isText(key)) kept.push([key, strip(item, depth + 1)])
    else others.push([key, item])
  }
  // The names of other fields may be text, such as those of a tool's arguments.
  const rest = canonicalJson(Object.fromEntries(others))
  if (others.length > 0) kept.push(["rest", textMark({ text: rest })])
  return Object.fromEntries(kept)
}

function isWord(value: Json): boolean {
  if (isObject(value) || isList(value)) return false
  return typeof value !== "string" || WORD.test(value)
}
