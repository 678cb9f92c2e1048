// What the function of a section may return, and what the compiler makes of it.
import type { Trust } from "../base/trust.ts"
import type { Content, TextPart } from "../core/model/content.ts"

/** An item of a section's list, such as a note: it is left out for an audience below its trust. */
export interface TextItem {
  readonly text: string
  /** Who may see it. Default: whoever may see the section. */
  readonly trust?: Trust | undefined
}

/** The text of a section. `undefined` or blank text leaves the section out. Each item of a list ends a line. */
export type SectionText = string | Content | readonly (string | TextItem)[] | undefined

/** A list becomes parts that each end a line, so that one that is withheld leaves no trace in the others. */
export function builtFrom(text: SectionText): string | Content | undefined {
  if (!isList(text)) return text
  const parts = text.map(partOf).filter((part) => !isBlank(part))
  return parts.length === 0 ? undefined : { parts }
}

function isList(text: SectionText): text is readonly (string | TextItem)[] {
  return Array.isArray(text)
}

/** Anything else in the list stays as it is: the check of contents says what is wrong with it. */
function partOf(item: string | TextItem): TextPart {
  if (typeof item === "string") return { text: asLine(item) }
  if (typeof item?.text !== "string") return item as TextPart
  const { text, trust } = item
  return trust === undefined ? { text: asLine(text) } : { text: asLine(text), trust }
}

function asLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`
}

function isBlank(part: TextPart): boolean {
  return typeof part?.text === "string" && part.text.trim() === ""
}
