// What the function of a section may return, and what the compiler makes of it.
import { isTrust, TRUSTS, type Trust } from "../base/trust.ts"
import type { Content, TextPart } from "../core/model/content.ts"

/** An item of a section's list, such as a note: it is left out for an audience below its trust. */
export interface TextItem {
  readonly text: string
  /** Who may see it. Default: whoever may see the section. */
  readonly trust?: Trust | undefined
}

/** The text of a section. `undefined` or blank text leaves the section out. Each item of a list ends a line. */
export type SectionText = string | Content | readonly (string | TextItem)[] | undefined

/**
 * A list becomes parts that each end a line, so that one that is withheld leaves no trace in the others. Throws for what
 * the types exclude: a function in JavaScript may return anything.
 */
export function builtFrom(text: SectionText): string | Content | undefined {
  if (!Array.isArray(text)) {
    if (text === undefined || typeof text === "string" || isContent(text)) return text
    throw new TypeError(`it returned ${described(text)}; ${INSTEAD}`)
  }
  const parts = text.map(partOf).filter((part) => part.text.trim() !== "")
  return parts.length === 0 ? undefined : { parts }
}

const INSTEAD = "return a string, a list of strings or { text, trust }, or undefined"

function partOf(item: unknown, at: number): TextPart {
  if (typeof item === "string") return { text: asLine(item) }
  if (typeof item !== "object" || item === null || !("text" in item) || typeof item.text !== "string")
    throw new TypeError(`item ${at + 1} of its list is ${described(item)}; ${INSTEAD}`)
  const trust: unknown = "trust" in item ? item.trust : undefined
  if (trust === undefined) return { text: asLine(item.text) }
  if (!isTrust(trust))
    throw new TypeError(
      `item ${at + 1} of its list has the trust ${JSON.stringify(trust)}; use ${TRUSTS.join(", ")}`,
    )
  return { text: asLine(item.text), trust }
}

function asLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`
}

/** The compiler checks its parts. */
function isContent(value: unknown): value is Content {
  return typeof value === "object" && value !== null && "parts" in value
}

function described(value: unknown): string {
  if (value === null) return "null"
  if (typeof value !== "object") return `a ${typeof value}`
  if (value instanceof Promise) return "a promise (wait for it before you call open or say)"
  return `an object with ${Object.keys(value).join(", ") || "no keys"}`
}
