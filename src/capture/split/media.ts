// Images and documents inside a request. Their base64 is neither text nor as many tokens as it has characters, so it is
// left out of texts and counted by a round estimate. Pure.
import { isList, isObject, type Json } from "../../record/write/request-marks.ts"

/** About a megapixel, or a page of a document. Providers scale larger images down to it. */
const TOKENS_EACH = 1500
const DEEPEST = 8
const SHORTEST = 200
const BASE64 = /^(?:data:[\w.+/-]+;base64,)?[\w+/=-]+$/

/** Encoded data, by the look of its beginning: it may be megabytes long. */
function isMedia(text: string): boolean {
  return text.length >= SHORTEST && BASE64.test(text.slice(0, SHORTEST))
}

/** With each image or document replaced by its size. */
export function withoutMedia(value: Json, depth = 0): Json {
  if (typeof value === "string") return isMedia(value) ? `[${value.length} characters of base64]` : value
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value
  if (isList(value)) return value.map((item) => withoutMedia(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutMedia(item, depth + 1)]))
}

/** Tokens of the images and documents in a value: an estimate. */
export function mediaTokens(value: Json, depth = 0): number {
  if (typeof value === "string") return isMedia(value) ? TOKENS_EACH : 0
  if (depth > DEEPEST || !(isList(value) || isObject(value))) return 0
  return Object.values(value).reduce<number>((sum, item: Json) => sum + mediaTokens(item, depth + 1), 0)
}
