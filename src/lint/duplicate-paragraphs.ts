// Finds paragraphs that appear in two places: they cost twice, and sooner or later only one of them is changed. One
// diagnostic per pair of files, and only if they share enough to matter. Template lines, code and table headers repeat for
// good reasons. Ignores white space and case.
import type { Diagnostic } from "../base/diagnostic.ts"
import { fenceLines } from "../base/text/fence.ts"
import { mostOf } from "../base/trust.ts"
import type { SourceFile } from "../core/model/source.ts"

/** Shorter text is a phrase, which may well be repeated. */
const MIN_WORDS = 8
/** Two files that share fewer words have a common template, or a rule worth repeating. */
const MIN_SHARED_WORDS = 30

interface Paragraph {
  readonly file: SourceFile
  readonly line: number
  /** In lower case, with single spaces. */
  readonly text: string
}

export function duplicateParagraphs(files: readonly SourceFile[]): readonly Diagnostic[] {
  const first = new Map<string, Paragraph>()
  const pairs = new Map<string, Copy[]>()
  for (const paragraph of files.flatMap(paragraphsOf)) {
    const earlier = first.get(paragraph.text)
    if (earlier === undefined) {
      first.set(paragraph.text, paragraph)
      continue
    }
    const key = `${paragraph.file.path}\0${earlier.file.path}`
    const copies = pairs.get(key) ?? []
    copies.push({ paragraph, earlier })
    pairs.set(key, copies)
  }
  return [...pairs.values()].flatMap(diagnostic)
}

interface Copy {
  readonly paragraph: Paragraph
  readonly earlier: Paragraph
}

function diagnostic(copies: readonly Copy[]): readonly Diagnostic[] {
  const [first] = copies
  const words = copies.reduce((sum, { paragraph }) => sum + wordCount(paragraph.text), 0)
  if (first === undefined || words < MIN_SHARED_WORDS) return []
  const { file, line } = first.paragraph
  const { earlier } = first
  return [
    {
      ...{ code: "duplicate-paragraph", path: file.path, line },
      ...{ other: earlier.file.path, otherLine: earlier.line, paragraphs: copies.length },
      needs: mostOf(file.trust, earlier.file.trust),
    },
  ]
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

/** List items, headings and table rows each start a new paragraph; their marks don't count. */
const BEGINS = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\||>\s?)/

/** The header of a table, or the line of dashes below it. */
function isTableHead(lines: readonly string[], at: number): boolean {
  return isRuler(lines[at]) || (lines[at]?.includes("|") === true && isRuler(lines[at + 1]))
}

function isRuler(line = ""): boolean {
  return line.includes("|") && line.includes("-") && /^[\s|:-]+$/.test(line)
}

function normal(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase()
}

/** In scripts without spaces, two characters count as a word. */
const WORD =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]{1,2}|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+/gu

function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0
}
