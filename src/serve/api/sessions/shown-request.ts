// What a reader below full trust sees of a request: what was said. Inputs and results of tools, and what the model
// thought, are left out, as they are while a turn runs. Providers have many shapes for those, so this lists what stays.
import type { Json, JsonObject } from "../../../record/write/request-marks.ts"

/** Where requests have the conversation. */
const CONVERSATIONS: readonly string[] = ["messages", "input", "contents", "prompt"]

const ROLES: readonly Json[] = ["user", "assistant", "model", "system", "developer"]
const TYPES: readonly Json[] = [
  ...["message", "text", "input_text", "output_text", "refusal"],
  ...["image", "image_url", "input_image", "document", "file", "input_file"],
]

/** Of what somebody said: its words and its files. */
const SAID: readonly string[] = [
  ...["role", "type", "text", "content", "parts", "refusal", "cache_control", "cachePoint"],
  ...["image", "image_url", "detail", "document", "file", "inlineData", "source", "filename", "file_data"],
]
/** Of everything else: what it is. */
const NAMES: readonly string[] = ["role", "type", "name"]

export function shownRequest(request: Json): Json {
  if (!isObject(request)) return null
  const shown = Object.entries(request).map(([key, value]) => [
    key,
    CONVERSATIONS.includes(key) ? shownItems(value) : value,
  ])
  return Object.fromEntries(shown) as JsonObject
}

/** Of JSON pointers into a request, those that lead to something of what is shown of it. */
export function shownPlaces(pointers: readonly string[], shown: Json): readonly string[] {
  return pointers.filter((pointer) => hasValue(shown, pointer))
}

function hasValue(value: Json, pointer: string): boolean {
  let inner: Json | undefined = value
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    if (inner !== undefined && isList(inner)) inner = inner[Number(key)]
    else inner = inner !== undefined && isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined
  }
  return inner !== undefined
}

function shownItems(value: Json): Json {
  return isList(value) ? value.map((item) => (isObject(item) ? shownItem(item) : item)) : value
}

function shownItem(item: JsonObject): Json {
  const { role = "user", type = "text", thought } = item
  const isSaid = ROLES.includes(role) && TYPES.includes(type) && thought !== true
  const kept = Object.entries(item).filter(([key]) => (isSaid ? SAID : NAMES).includes(key))
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === "content" || key === "parts" ? shownItems(value) : value]),
  )
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value)
}
