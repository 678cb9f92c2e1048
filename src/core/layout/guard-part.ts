// Escapes the compiler's own tags in parts of users and tools, so that none of them can forge a tail. A provider's own
// form of a part may repeat its text, so all text in it is escaped as well.
import type { MessagePart } from "../model/message.ts"
import { guard } from "../write/markup.ts"

type Fields = Readonly<Record<string, unknown>>
type Guard = (text: string) => string

/** Returns the same part if there is nothing to escape. `sections`: further tags that it must not write. */
export function guardPart(part: MessagePart, sections: readonly string[] = []): MessagePart {
  if (part.kind === "tool-call" || (part.kind === "text" && (part.tail || part.envelope))) return part
  const guarded: Guard = (text) => guard(text, sections)
  if (part.kind === "native") {
    const value = inFields(part.value, guarded)
    return value === part.value ? part : { ...part, value }
  }
  const text = part.kind === "tool-result" && part.json ? inJson(part.text, guarded) : guarded(part.text)
  const { native } = part
  const value = native && inFields(native.value, guarded)
  if (text === part.text && value === native?.value) return part
  return { ...part, text, ...(native && value && { native: { ...native, value } }) }
}

/** Text in JSON may hide a tag behind an escape, which is read when the value is. */
function inJson(text: string, guarded: Guard): string {
  try {
    const value: unknown = JSON.parse(text)
    const safe = inValue(value, guarded)
    return guarded(safe === value ? text : JSON.stringify(safe))
  } catch (error) {
    if (error instanceof SyntaxError) return guarded(text)
    throw error
  }
}

function inValue(value: unknown, guarded: Guard): unknown {
  if (typeof value === "string") return guarded(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => inValue(item, guarded))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  // A JSON value that is neither is a record.
  return typeof value === "object" && value !== null ? inFields(value as Fields, guarded) : value
}

function inFields(fields: Fields, guarded: Guard): Fields {
  const entries = Object.entries(fields).map(
    ([name, field]) => [guarded(name), inValue(field, guarded)] as const,
  )
  const isSame = entries.every(([name, field]) => Object.hasOwn(fields, name) && fields[name] === field)
  return isSame ? fields : Object.fromEntries(entries)
}
