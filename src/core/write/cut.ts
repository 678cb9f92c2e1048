// Shortens a text that doesn't fit. Every cut says what it left out, and that line counts towards the budget. Cuts only
// at line ends, and never inside a code fence or a tag.
import { fenceLines } from "../../base/text/fence.ts"
import { lineCount, type Provenance, sliceParts, type TextPart, textOf } from "../model/content.ts"
import type { Cut } from "../model/section.ts"
import { type Reader, toolFor } from "../view/reader.ts"
import { cutToHeadings } from "./cut-headings.ts"
import type { CutOptions } from "./cut-options.ts"
import type { Written } from "./write.ts"

/** The longest form within the limit. Returns undefined if nothing useful would be left. */
export function cutParts(parts: readonly TextPart[], how: Cut, options: CutOptions): Written | undefined {
  if (how === "whole") return undefined
  const text = textOf(parts)
  if (how === "menu") return within(cutToMenu({ parts, text }, options), options)
  const byHeadings = how === "headings" ? cutToHeadings(parts, options) : undefined
  if (byHeadings !== undefined) return byHeadings
  const cuttable = { parts, text, breaks: breaksOf(text) }
  return how === "ends" ? cutToEnds(cuttable, options) : cutToLines(cuttable, options)
}

interface Whole {
  readonly parts: readonly TextPart[]
  /** The text of the parts. */
  readonly text: string
}

interface Cuttable extends Whole {
  /** Offsets at which the text may be cut. */
  readonly breaks: readonly number[]
}

function within(
  parts: readonly TextPart[],
  { write, limit }: CutOptions,
  isUseful = true,
): Written | undefined {
  if (!isUseful) return undefined
  const written = write(parts)
  return written !== undefined && written.tokens <= limit ? written : undefined
}

function cutToLines({ parts, text, breaks }: Cuttable, options: CutOptions): Written | undefined {
  const keep = (at: number) => [
    ...sliceParts(parts, 0, at),
    { text: marker({ parts, text, from: at, to: text.length }, options) },
  ]
  const available = options.limit - overhead(keep, options)
  const blank = text.length - text.trimStart().length
  const useful = breaksBefore(breaks, options.counter.prefix(text, available)).filter((at) => at > blank)
  // The hint is nearly always right, so try the longest form first. Bisect for text that grows when escaped.
  return (
    within(keep(useful[0] ?? 0), options, useful.length > 0) ??
    bisect(useful, (at) => within(keep(at), options))
  )
}

/** The first form that fits, in a list of ever shorter ones. */
function bisect(breaks: readonly number[], form: (at: number) => Written | undefined): Written | undefined {
  let low = 0
  let high = breaks.length
  let best: Written | undefined
  while (low < high) {
    const middle = (low + high) >> 1
    const written = form(breaks[middle] ?? 0)
    if (written === undefined) low = middle + 1
    else {
      best = written
      high = middle
    }
  }
  return best
}

/** Two thirds of the room for the beginning, one third for the end. */
function cutToEnds(cuttable: Cuttable, options: CutOptions): Written | undefined {
  const { parts, text, breaks } = cuttable
  const keep = (head: number, tail: number) => [
    ...sliceParts(parts, 0, head),
    { text: marker({ parts, text, from: head, to: tail }, options) },
    ...sliceParts(parts, tail, text.length),
  ]
  const available = options.limit - overhead((at) => keep(at, text.length), options)
  const head = breaksBefore(breaks, options.counter.prefix(text, Math.floor((available * 2) / 3)))[0] ?? 0
  const tails = breaks.filter((at) => at > head)
  const isUseful = text.slice(0, head).trim() !== ""
  const best = isUseful ? bisect(tails, (tail) => within(keep(head, tail), options)) : undefined
  return best ?? cutToLines(cuttable, options)
}

/** The tokens of the envelope and the marker. */
function overhead(keep: (at: number) => readonly TextPart[], options: CutOptions): number {
  return options.write(keep(0))?.tokens ?? 0
}

/** The line in place of the text between two offsets. */
function marker(
  { parts, text, from, to }: Whole & { readonly from: number; readonly to: number },
  { reader, marker: own, counter }: CutOptions,
): string {
  if (own !== undefined) {
    const file = provenanceAt(parts, from)
    const [path, line] = file?.kind === "file" ? [file.path, file.lines[0]] : [undefined, undefined]
    return own({
      keptTokens: counter.count(text.slice(0, from)),
      allTokens: counter.count(text),
      path,
      line,
      reader: path === undefined ? undefined : toolFor(reader, path),
    })
  }
  const [out, all] = [lineCount(text.slice(from, to)), lineCount(text)]
  const place = pointer(provenanceAt(parts, from), reader)
  return `[${out} of ${all} lines were left out here to fit the budget.${place}]\n`
}

function pointer(from: Provenance | undefined, reader: Reader | undefined): string {
  if (from?.kind !== "file") return ""
  const tool = toolFor(reader, from.path)
  return tool === undefined ? "" : ` To see them: ${tool}, ${from.path} from line ${from.lines[0]}.`
}

function provenanceAt(parts: readonly TextPart[], offset: number): Provenance | undefined {
  return sliceParts(parts, offset, offset + 1)[0]?.from
}

/** Offsets at which the text may be cut: line ends outside fences and tags. */
function breaksOf(text: string): readonly number[] {
  const lines = text.split("\n")
  const fenced = fenceLines(lines, "any")
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

/** For each line, whether a tag is still open at its end. */
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

/** Replaces the text of each file with a reference that states its cost. */
function cutToMenu({ parts, text }: Whole, { counter, reader }: CutOptions): readonly TextPart[] {
  const files = new Map<string, string>()
  for (const part of parts) {
    if (part.from?.kind === "file") files.set(part.from.path, (files.get(part.from.path) ?? "") + part.text)
  }
  const lines = [...files].map(([path, body]) => `- ${path} (${counter.count(body)} tokens)`)
  if (lines.length === 0) lines.push(`- ${counter.count(text)} tokens of text`)
  const isReadable = files.size > 0 && [...files.keys()].every((path) => toolFor(reader, path) !== undefined)
  const how = isReadable ? ` Load what you need with ${reader?.tool}.` : ""
  return [{ text: `Not loaded, to fit the budget.${how}\n${lines.join("\n")}` }]
}
