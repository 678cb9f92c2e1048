// Shortens a text that does not fit, visibly: every cut says what it left out, inside the budget.
// Whole lines only, and never inside a code fence or a tag.
import { countNewlines, type Provenance, sliceParts, type TextPart, textOf } from "./content.ts"
import type { Counter } from "./counter.ts"
import { fenceLines } from "./fence.ts"
import type { Cut } from "./section.ts"
import type { Written } from "./written.ts"

export interface CutOptions {
  readonly limit: number
  readonly counter: Counter
  /** Puts the parts in their envelope and counts them. */
  readonly write: (parts: readonly TextPart[]) => Written | undefined
  /** A registered tool with which the model can fetch what was left out. */
  readonly reader: string | undefined
}

/** The longest form within the limit, or `undefined` if nothing of use would be left. */
export function cutParts(parts: readonly TextPart[], how: Cut, options: CutOptions): Written | undefined {
  if (how === "whole") return undefined
  const text = textOf(parts)
  if (how === "menu") return within(cutToMenu(parts, text, options), options)
  if (how === "headings") return cutToHeadings(parts, text, options)
  const breaks = breaksOf(text)
  return how === "lines" ? cutToLines(parts, text, breaks, options) : cutToEnds(parts, text, breaks, options)
}

function within(parts: readonly TextPart[], { write, limit }: CutOptions): Written | undefined {
  const written = write(parts)
  return written !== undefined && written.tokens <= limit ? written : undefined
}

function cutToLines(
  parts: readonly TextPart[],
  text: string,
  breaks: readonly number[],
  options: CutOptions,
): Written | undefined {
  const keep = (at: number) => [
    ...sliceParts(parts, 0, at),
    { text: marker(parts, text, at, text.length, options) },
  ]
  const room = options.limit - overhead(keep, options)
  for (const at of breaksBefore(breaks, options.counter.prefix(text, room))) {
    const written = within(keep(at), options)
    if (written !== undefined) return written
  }
  return undefined
}

/** Two thirds of the room for the beginning, one for the end. */
function cutToEnds(
  parts: readonly TextPart[],
  text: string,
  breaks: readonly number[],
  options: CutOptions,
): Written | undefined {
  const keep = (head: number, tail: number) => [
    ...sliceParts(parts, 0, head),
    { text: marker(parts, text, head, tail, options) },
    ...sliceParts(parts, tail, text.length),
  ]
  const room = options.limit - overhead((at) => keep(at, text.length), options)
  const head = breaksBefore(breaks, options.counter.prefix(text, Math.floor((room * 2) / 3)))[0]
  if (head === undefined) return undefined
  const tails = breaks.filter((at) => at > head)
  let low = 0
  let high = tails.length
  let best: Written | undefined
  while (low < high) {
    const middle = (low + high) >> 1
    const written = within(keep(head, tails[middle] ?? text.length), options)
    if (written === undefined) low = middle + 1
    else {
      best = written
      high = middle
    }
  }
  return best ?? cutToLines(parts, text, breaks, options)
}

/** What the envelope and the marker take. */
function overhead(keep: (at: number) => readonly TextPart[], options: CutOptions): number {
  return options.write(keep(0))?.tokens ?? 0
}

function marker(
  parts: readonly TextPart[],
  text: string,
  from: number,
  to: number,
  { reader }: CutOptions,
): string {
  const all = countNewlines(text, 0, text.length) + 1
  const out = countNewlines(text, from, to) + (to === text.length && !text.endsWith("\n") ? 1 : 0)
  const place = reader === undefined ? "" : pointer(provenanceAt(parts, from), reader)
  return `[${out} of ${all} lines were left out here to fit the budget.${place}]\n`
}

function pointer(from: Provenance | undefined, reader: string): string {
  return from?.kind === "file" ? ` To see them: ${reader}, ${from.path} from line ${from.lines[0]}.` : ""
}

function provenanceAt(parts: readonly TextPart[], offset: number): Provenance | undefined {
  return sliceParts(parts, offset, offset + 1)[0]?.from
}

/** Offsets after which the text may be cut: line ends outside fences and tags. */
function breaksOf(text: string): readonly number[] {
  const lines = text.split("\n")
  const fenced = fenceLines(lines)
  const inTag = openTags(lines)
  const breaks: number[] = []
  let offset = 0
  for (const [at, line] of lines.entries()) {
    offset += line.length + 1
    if (offset >= text.length) break
    if (!(fenced[at] && fenced[at + 1]) && !inTag[at]) breaks.push(offset)
  }
  return breaks
}

/** For each line, whether a tag that began on it or before is still open at its end. */
function openTags(lines: readonly string[]): readonly boolean[] {
  const lastClose = lines.findLastIndex((line) => line.includes(">"))
  let open = false
  return lines.map((line, at) => {
    if (line.includes(">")) open = false
    const start = line.lastIndexOf("<")
    if (start > line.lastIndexOf(">") && /^<[/!]?[A-Za-z]/.test(line.slice(start))) open = true
    return open && at < lastClose
  })
}

function breaksBefore(breaks: readonly number[], offset: number): readonly number[] {
  return breaks.filter((at) => at <= offset).reverse()
}

interface Chapter {
  readonly start: number
  readonly end: number
  readonly level: number
  readonly title: string
}

/** Keeps whole Markdown sections in order, as many as fit, and names the others with what they cost. */
function cutToHeadings(parts: readonly TextPart[], text: string, options: CutOptions): Written | undefined {
  const chapters = chaptersOf(text)
  const prices = chapters.map(({ start, end }) => options.counter.count(text.slice(start, end)))
  const held = new Set(chapters.keys())
  let best: Written | undefined
  for (const [at, chapter] of chapters.entries()) {
    if (parentOf(chapters, at, (parent) => held.has(parent)) && chapter.level > 0) continue
    held.delete(at)
    const written = within(withoutHeld(parts, chapters, prices, held, options), options)
    if (written === undefined) held.add(at)
    else best = written
  }
  return best
}

function withoutHeld(
  parts: readonly TextPart[],
  chapters: readonly Chapter[],
  prices: readonly number[],
  held: ReadonlySet<number>,
  { reader }: CutOptions,
): readonly TextPart[] {
  const kept = chapters.flatMap(({ start, end }, at) => (held.has(at) ? [] : sliceParts(parts, start, end)))
  const lines = [...held].map((at) => `- ${chapters[at]?.title ?? ""} (${prices[at]} tokens)`)
  if (lines.length === 0) return kept
  const place = provenanceAt(parts, 0)
  const how = reader !== undefined && place?.kind === "file" ? ` To see one: ${reader}, ${place.path}.` : ""
  return [...kept, { text: `\n\n[Left out to fit the budget.${how}\n${lines.join("\n")}]` }]
}

/** The text before the first heading has level 0 and stands on its own. */
function chaptersOf(text: string): readonly Chapter[] {
  const lines = text.split("\n")
  const fenced = fenceLines(lines)
  const starts: Omit<Chapter, "end">[] = []
  let offset = 0
  for (const [at, line] of lines.entries()) {
    const match = fenced[at] ? null : /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$/.exec(line)
    if (match) starts.push({ start: offset, level: match[1]?.length ?? 1, title: match[2] ?? "" })
    else if (offset === 0) starts.push({ start: 0, level: 0, title: "Introduction" })
    offset += line.length + 1
  }
  return starts.map((chapter, at) => ({ ...chapter, end: starts[at + 1]?.start ?? text.length }))
}

/** Whether a chapter above this one in the outline passes the test. */
function parentOf(chapters: readonly Chapter[], at: number, test: (index: number) => boolean): boolean {
  let level = chapters[at]?.level ?? 0
  for (let above = at - 1; above >= 0; above -= 1) {
    const candidate = chapters[above]
    if (candidate === undefined || candidate.level === 0 || candidate.level >= level) continue
    if (test(above)) return true
    level = candidate.level
  }
  return false
}

/** A priced pointer to each file, in place of its text. */
function cutToMenu(
  parts: readonly TextPart[],
  text: string,
  { counter, reader }: CutOptions,
): readonly TextPart[] {
  const files = new Map<string, string>()
  for (const part of parts) {
    if (part.from?.kind === "file") files.set(part.from.path, (files.get(part.from.path) ?? "") + part.text)
  }
  const lines = [...files].map(([path, body]) => `- ${path} (${counter.count(body)} tokens)`)
  if (lines.length === 0) lines.push(`- ${counter.count(text)} tokens of text`)
  const how = reader === undefined || files.size === 0 ? "" : ` Load what you need with ${reader}.`
  return [{ text: `Not loaded, to fit the budget.${how}\n${lines.join("\n")}` }]
}
