// Parts of a message as text, for counting and comparing. What a renderer writes is up to it.
import { canonicalJson, digest } from "../../base/digest.ts"
import type { Native, SentPart } from "./message.ts"

/** What a part adds to a request, near enough to count its tokens. The same text for the same part. */
export function partText(part: SentPart): string {
  if (part.kind === "tool-call") return `${part.name} ${canonicalJson(part.input)}`
  return part.kind === "native" ? canonicalJson(withoutMedia(part.value)) : part.text
}

/** How people and models read what only one provider can send: the type or role of a block, or its first field. */
export function nativeName({ type, role, ...rest }: Native["value"]): string {
  if (typeof type === "string") return type
  return typeof role === "string" ? `${role} message` : (Object.keys(rest)[0] ?? "block")
}

/** Text this long without a space is an encoded image or file. */
const MEDIA = /^\S{1000,}$/
/** Providers count an image by its size on the screen: rarely more than this many tokens, however many bytes it has. */
const MEDIA_TEXT = " media".repeat(1500)

function withoutMedia(value: unknown): unknown {
  if (typeof value === "string") return MEDIA.test(value) ? `${digest(value)}${MEDIA_TEXT}` : value
  if (Array.isArray(value)) return value.map(withoutMedia)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutMedia(field)]))
}
