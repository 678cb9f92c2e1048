// What is the same to a provider's cache, however a client writes it: a text and a list with one text, an item of a
// conversation with another id, a line that only counts requests. Pure.
import { canonicalJson } from "../../base/digest.ts"
import { isList, isObject, type Json, type JsonObject } from "../write/request-marks.ts"

/** The request with its system text in one form. */
export function withPlainSystem(request: JsonObject): JsonObject {
  const { system } = request
  if (system === undefined) return request
  const blocks = isList(system) ? system : [system]
  return { ...request, system: blocks.filter((block) => !isBillingLine(block)).map(plainPart) }
}

/** Claude Code counts its requests in the first block of system text; the service takes it out before the cache. */
export function isBillingLine(block: Json): boolean {
  const text = plainPart(block)
  return typeof text === "string" && /^x-anthropic-billing-header:[^\n]*\n*$/.test(text)
}

/** Equal for items of a conversation that are the same to a cache. Marks are lifted before. */
export function itemKey(item: Json): string {
  if (!isObject(item)) return canonicalJson(item)
  // Items of the Responses API get ids, which are no text; a reference has nothing else.
  const { id: _own, ...named } = item
  const rest = typeof item.type === "string" && item.type !== "item_reference" ? named : item
  const { content } = rest
  if (content === undefined || content === null) return canonicalJson(rest)
  return canonicalJson({ ...rest, content: (isList(content) ? content : [content]).map(plainPart) })
}

const TEXT_TYPES: ReadonlySet<Json | undefined> = new Set(["text", "input_text", "output_text"])

/** A part with nothing but text, as that text. */
function plainPart(part: Json): Json {
  if (!isObject(part) || typeof part.text !== "string") return part
  return Object.keys(part).length === 2 && TEXT_TYPES.has(part.type) ? part.text : part
}
