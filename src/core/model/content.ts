// Content: the text of a section, in parts that each know their source. Slicing a part narrows its line range, so
// provenance stays exact through trims and cuts.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Digest } from "../../base/digest.ts"
import { oncePerObject } from "../../base/memo/once.ts"
import type { Trust } from "../../base/trust.ts"
import type { OnChange } from "./on-change.ts"
import type { Priority } from "./priority.ts"

/** Where a text comes from. `identity` is the same for one file, whichever path leads to it. */
export type Provenance =
  | {
      readonly kind: "file"
      readonly path: string
      readonly identity: string
      readonly lines: readonly [first: number, last: number]
      readonly digest: Digest
    }
  | { readonly kind: "bundled"; readonly name: string }
  | { readonly kind: "edit"; readonly by: string }

/** Text with one provenance and one trust. `when` lists sections; without them the text is left out. */
export interface TextPart {
  readonly text: string
  readonly from?: Provenance
  readonly trust?: Trust
  readonly when?: readonly string[]
}

/** The place of another section, if that section has content. */
export interface SlotPart {
  readonly slot: string
  readonly when?: readonly string[]
}

/** One piece of a section's content. */
export type Part = TextPart | SlotPart

/** What a section says: parts of text, each with its source and the trust it needs. */
export interface Content {
  /** In order. Separators belong to one of the parts they separate. */
  readonly parts: readonly Part[]
  /** Prepared shorter forms, longest first, for a budget that is too small for the whole. */
  readonly shorter?: readonly Content[]
  /** What its single source asks for; overrides the section's own values. */
  readonly wish?: { readonly priority?: Priority; readonly onChange?: OnChange; readonly maxTokens?: number }
  /** Diagnostics from building it. */
  readonly diagnostics?: readonly Diagnostic[]
}

export function isSlot(part: Part): part is SlotPart {
  return "slot" in part
}

/** Content from one text. Returns undefined for blank or absent text, so that the section is left out. */
export function textContent(text: string | undefined, from?: Provenance): Content | undefined {
  if (text === undefined || text.trim() === "") return undefined
  return { parts: [from === undefined ? { text } : { text, from }] }
}

export function textOf(parts: readonly Part[]): string {
  let text = ""
  for (const part of parts) if (!isSlot(part)) text += part.text
  return text
}

/** The part from `start` to `end`, with its line range narrowed to match. */
export function slicePart(part: TextPart, start: number, end: number): TextPart {
  if (start <= 0 && end >= part.text.length) return part
  const text = part.text.slice(start, end)
  return part.from === undefined
    ? { ...part, text }
    : { ...part, text, from: narrow(part.from, { part, start, end }) }
}

/** The parts between two offsets of the joined text. */
export function sliceParts(parts: readonly TextPart[], start: number, end: number): readonly TextPart[] {
  const kept: TextPart[] = []
  let offset = 0
  for (const part of parts) {
    const from = Math.max(0, start - offset)
    const to = Math.min(part.text.length, end - offset)
    if (from < to) kept.push(slicePart(part, from, to))
    offset += part.text.length
  }
  return kept
}

/** Trims white space at both ends and drops the parts that this leaves empty. */
export function trimParts(parts: readonly TextPart[]): readonly TextPart[] {
  const text = textOf(parts)
  const start = text.length - text.trimStart().length
  return sliceParts(parts, start, text.trimEnd().length)
}

/** Narrows only if the text has as many lines as its range. Derived text keeps the whole range. */
function narrow(
  from: Provenance,
  { part, start, end }: { readonly part: TextPart; readonly start: number; readonly end: number },
): Provenance {
  if (from.kind !== "file") return from
  const [first, last] = from.lines
  const newlines = newlinesOf(part)
  const lines = newlines.length + (part.text.endsWith("\n") ? 0 : 1)
  if (lines !== last - first + 1) return from
  const skipped = countBefore(newlines, start)
  const covered = countBefore(newlines, Math.max(start, end - 1)) - skipped
  return { ...from, lines: [first + skipped, first + skipped + covered] }
}

/** How many lines of a part end before an offset. */
export function linesBefore(part: TextPart, offset: number): number {
  return countBefore(newlinesOf(part), offset)
}

/** Templates and outlines slice one part many times, so its newline offsets are kept. */
const newlinesOf = oncePerObject(({ text }: TextPart): readonly number[] => {
  const found: number[] = []
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) found.push(at)
  return found
})

/** How many of the ascending offsets are less than the given one. */
function countBefore(offsets: readonly number[], offset: number): number {
  let [low, high] = [0, offsets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of lines of a text. A final newline doesn't begin another line. */
export function lineCount(text: string): number {
  return countNewlines(text, 0, text.length) + (text.endsWith("\n") ? 0 : 1)
}

export function countNewlines(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1
  return count
}
