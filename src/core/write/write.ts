// A section as it appears in the prompt: its envelope, its neutralised text, and its tokens.
import type { Digest } from "../../base/digest.ts"
import type { Pace } from "../../base/pace.ts"
import {
  isSlot,
  type Part,
  type Provenance,
  type SlotPart,
  type TextPart,
  textOf,
  trimParts,
} from "../model/content.ts"
import type { Counter } from "../model/counter.ts"
import type { Tag } from "../model/section.ts"
import { type Envelope, escapeParts, type Markup } from "./markup.ts"

/** From here on the section's text is as fast as `raise`, because it depends on a faster section. */
export interface Raise {
  readonly raise: Pace
  readonly name: string
}

export type WritePart = TextPart | SlotPart | Raise

/** Contiguous text of one section. It ends a line, so that the counts of runs add up. */
export interface Run {
  readonly parts: readonly TextPart[]
  readonly text: string
  readonly tokens: number
  /** How many characters at the start only separate the section from the one before. */
  readonly lead?: number
}

export interface Written {
  readonly items: readonly (Run | SlotPart | Raise)[]
  readonly tokens: number
}

/** A section's text before any cut, with a digest to detect changes. */
export interface Signed extends Written {
  readonly digest: Digest
}

/** What a writer needs to know about a section. `envelope` replaces the markup's own. */
export interface Writable {
  readonly id: string
  readonly title?: string
  readonly bare?: true
  readonly lead?: string
  readonly tag?: Tag
  readonly envelope?: Envelope
}

/** Writes a section's parts. Returns undefined if they have no text. */
export type Writer = (section: Writable, parts: readonly WritePart[]) => Written | undefined

export function isRun(item: Run | SlotPart | Raise): item is Run {
  return "tokens" in item
}

export function createWriter(markup: Markup, counter: Counter): Writer {
  return (section, parts) => {
    const items = itemsOf(section, parts, { markup, counter })
    return items.some(isRun) ? finish(items) : undefined
  }
}

interface WriterOptions {
  readonly markup: Markup
  readonly counter: Counter
}

function itemsOf(section: Writable, parts: readonly WritePart[], options: WriterOptions) {
  const { markup, counter } = options
  if (markup.verbatim === true) return verbatimItems(section, parts, counter)
  return section.bare === true ? bareItems(parts, counter) : wrapped(section, parts, options)
}

export function writtenText(written: Written): string {
  let text = ""
  for (const item of written.items) if (isRun(item)) text += item.text
  return text
}

/** An envelope cannot be split, so slots only count in bare sections. */
function wrapped(
  section: Writable,
  parts: readonly WritePart[],
  { markup, counter }: WriterOptions,
): readonly Run[] {
  const texts = trimParts(parts.filter((part) => "text" in part))
  if (texts.length === 0) return []
  const body = escapeParts(texts, markup.escapes(textOf(texts), section))
  const { open, close } = section.envelope ?? markup.envelope(section)
  return [leadRun(section, [{ text: open }, ...body, { text: close }], counter)]
}

/** As built, slots included. The lead goes before the first text. */
function verbatimItems(
  section: Writable,
  parts: readonly WritePart[],
  counter: Counter,
): (Run | SlotPart | Raise)[] {
  const items: (Run | SlotPart | Raise)[] = []
  let texts: TextPart[] = []
  const flush = () => {
    if (texts.length === 0) return
    items.push(items.some(isRun) ? makeRun(texts, counter) : leadRun(section, texts, counter))
    texts = []
  }
  for (const part of parts) {
    if (!("text" in part)) {
      flush()
      items.push(part)
    } else if (part.text !== "") texts.push(part)
  }
  flush()
  return items
}

function leadRun({ lead = "" }: Writable, texts: readonly TextPart[], counter: Counter): Run {
  if (lead === "") return makeRun(texts, counter)
  return { ...makeRun([{ text: lead }, ...texts], counter), lead: lead.length }
}

function bareItems(parts: readonly WritePart[], counter: Counter): (Run | SlotPart | Raise)[] {
  const items: (Run | SlotPart | Raise)[] = []
  let texts: TextPart[] = []
  const flush = () => {
    const body = trimParts(texts)
    if (body.length > 0)
      items.push(makeRun([...slashSeparator(body, items.length), ...body, { text: "\n\n" }], counter))
    texts = []
  }
  for (const part of parts) {
    if ("text" in part) texts.push(part)
    else {
      flush()
      items.push(part)
    }
  }
  flush()
  return items
}

/** o200k joins a slash to the line end before it, so counts would not add up. A space separates them. */
function slashSeparator(body: readonly TextPart[], before: number): readonly TextPart[] {
  return before > 0 && body[0]?.text.startsWith("/") ? [{ text: " " }] : []
}

function makeRun(parts: readonly TextPart[], counter: Counter): Run {
  const text = textOf(parts)
  return { parts, text, tokens: counter.count(text) }
}

function finish(items: readonly (Run | SlotPart | Raise)[]): Written {
  return { items, tokens: items.reduce((sum, item) => sum + (isRun(item) ? item.tokens : 0), 0) }
}

export function sameParts(a: readonly WritePart[], b: readonly WritePart[]): boolean {
  if (a === b) return true
  return a.length === b.length && a.every((part, at) => samePart(part, b[at]))
}

function samePart(a: WritePart, b: WritePart | undefined): boolean {
  if (a === b) return true
  if (b === undefined || !("text" in a) || !("text" in b)) return sameMark(a, b)
  return a.text === b.text && a.trust === b.trust && sameProvenance(a.from, b.from)
}

function sameMark(a: Part | Raise, b: Part | Raise | undefined): boolean {
  if (b === undefined || "text" in a || "text" in b) return false
  if ("raise" in a || "raise" in b)
    return "raise" in a && "raise" in b && a.raise === b.raise && a.name === b.name
  return isSlot(a) && isSlot(b) && a.slot === b.slot
}

function sameProvenance(a: Provenance | undefined, b: Provenance | undefined): boolean {
  if (a === b) return true
  if (a?.kind === "bundled" && b?.kind === "bundled") return a.name === b.name
  if (a?.kind === "edit" && b?.kind === "edit") return a.by === b.by
  if (a?.kind !== "file" || b?.kind !== "file") return false
  const sameLines = a.lines[0] === b.lines[0] && a.lines[1] === b.lines[1]
  return a.path === b.path && a.identity === b.identity && a.digest === b.digest && sameLines
}
