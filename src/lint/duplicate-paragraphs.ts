// Paragraphs that stand in two places: they cost twice, and one day only one of them is changed.
// White space and case do not count. Code and the heads of tables repeat for good reasons.
import type { Diagnostic } from "../core/diagnostic.ts"
import { fenceLines } from "../core/fence.ts"
import type { SourceFile } from "../core/source.ts"
import { mostOf } from "../core/trust.ts"

/** Fewer are a phrase, which may well be said twice. */
const MIN_WORDS = 8

interface Paragraph {
  readonly file: SourceFile
  readonly line: number
  /** In lower case, with single spaces. */
  readonly text: string
}

export function duplicateParagraphs(files: readonly SourceFile[]): readonly Diagnostic[] {
  const first = new Map<string, Paragraph>()
  return files.flatMap(paragraphsOf).flatMap((paragraph) => {
    const earlier = first.get(paragraph.text)
    if (earlier !== undefined) return [finding(paragraph, earlier)]
    first.set(paragraph.text, paragraph)
    return []
  })
}

function finding({ file, line }: Paragraph, earlier: Paragraph): Diagnostic {
  const needs = mostOf(file.trust, earlier.file.trust)
  const { path } = file
  return { code: "duplicate-paragraph", path, line, other: earlier.file.path, otherLine: earlier.line, needs }
}

function paragraphsOf(file: SourceFile): readonly Paragraph[] {
  const lines = file.text.split("\n")
  const inFence = fenceLines(lines, "any")
  const found: { readonly line: number; readonly lines: string[] }[] = []
  let isOpen = false
  for (const [offset, line] of lines.entries()) {
    const isText = line.trim() !== "" && !inFence[offset] && !isTableHead(lines, offset)
    if (isText && (!isOpen || BEGINS.test(line))) found.push({ line: file.firstLine + offset, lines: [] })
    if (isText) found.at(-1)?.lines.push(line.replace(BEGINS, ""))
    isOpen = isText
  }
  return found
    .map(({ line, lines }) => ({ file, line, text: normal(lines.join(" ")) }))
    .filter(({ text }) => wordCount(text) >= MIN_WORDS)
}

/** Items of a list, headings and rows of a table each say something of their own; their marks do not count. */
const BEGINS = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\||>\s?)/

/** The head of a table, or the line of dashes below it. */
function isTableHead(lines: readonly string[], at: number): boolean {
  return isRuler(lines[at]) || (lines[at]?.includes("|") === true && isRuler(lines[at + 1]))
}

function isRuler(line = ""): boolean {
  return line.includes("|") && line.includes("-") && /^[\s|:-]+$/.test(line)
}

function normal(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase()
}

/** In scripts without spaces two characters pass for a word. */
const WORD =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]{1,2}|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+/gu

function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0
}
