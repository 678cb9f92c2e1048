// The chosen text as rows of one height, so that only those in the window are in the document: a megabyte scrolls like a
// page. Each row knows its file and line.
import type { ShownPart, ShownSpan } from "../../../src/serve/page/shown.ts"
import { hiddenIn, isHidden, numberOf, visibleName } from "../../parts/visible-text.ts"
import type { Stretch } from "./prompt-row.ts"

/** What is read in one go, with a title if others are read with it. */
export interface Piece extends Stretch {
  readonly title: string | undefined
}

export interface TextRow {
  readonly kind: "text" | "heading"
  readonly part: number
  readonly start: number
  readonly end: number
  /** Of the text's own line: the same for all rows that it takes. */
  readonly line: number
  /** Whether the text's own line begins here. */
  readonly isFirst: boolean
  readonly span: ShownSpan | undefined
  /** The line of the file. */
  readonly fileLine: number | undefined
  readonly heading: string | undefined
}

export function textRows(
  pieces: readonly Piece[],
  parts: readonly ShownPart[],
  columns: number,
): readonly TextRow[] {
  const rows: TextRow[] = []
  let line = 0
  let path: string | undefined
  let read: ReturnType<typeof createPlaces> | undefined
  for (const piece of pieces) {
    const part = parts[piece.part]
    if (part === undefined) continue
    if (piece.title !== undefined) {
      rows.push(headingRow(piece, visibleName(piece.title), line))
      path = undefined
    }
    // A part may be in thousands of pieces, one after the other.
    if (read?.part !== part) read = createPlaces(part)
    const { isEven, lineEnd, placeOf } = read
    for (let start = piece.start; start < piece.end; line += 1) {
      const end = Math.min(lineEnd(start), piece.end)
      const { span, fileLine } = placeOf(start, end)
      const next = span?.owner?.path
      if (next !== undefined && next !== path)
        rows.push(headingRow({ ...piece, start }, visibleName(next), line))
      path = next ?? path
      let from = start
      do {
        const to = isEven && end - from <= columns ? end : rowEnd(part.text, { start: from, end, columns })
        const isFirst = from === start
        const facts = { start: from, end: to, line, isFirst, span, fileLine, heading: undefined }
        rows.push({ kind: "text", part: piece.part, ...facts })
        from = to
      } while (from < end)
      start = end + 1
    }
  }
  return rows
}

function headingRow({ part, start }: Stretch, heading: string, line: number): TextRow {
  return {
    ...{ kind: "heading", part, start, end: start, line, isFirst: true, heading },
    ...{ span: undefined, fileLine: undefined },
  }
}

interface Place {
  readonly span: ShownSpan | undefined
  readonly fileLine: number | undefined
}

/** Finds the end and the owner of each line of a part, asked in order. */
function createPlaces(part: ShownPart) {
  const { text, spans } = part
  let at = 0
  let newline = -1
  // Where the lines of the span were counted up to.
  let counted = { span: -1, offset: 0, lines: 0 }
  const placeOf = (start: number, end: number): Place => {
    while (at < spans.length && (spans[at]?.end ?? 0) <= start) at += 1
    let found = at
    // A line may begin with a character of the span before, such as a line's end.
    while (
      found + 1 < spans.length &&
      spans[found]?.owner?.path === undefined &&
      (spans[found]?.end ?? end) < end
    )
      found += 1
    const span = spans[found]
    if (span === undefined || span.start >= end + 1 || span.end <= start)
      return { span: undefined, fileLine: undefined }
    const { lines, path } = span.owner ?? {}
    if (lines === undefined || path === undefined) return { span, fileLine: undefined }
    if (counted.span !== found) counted = { span: found, offset: span.start, lines: 0 }
    const until = Math.max(start, span.start)
    const from = counted.offset
    for (let next = from < until ? text.indexOf("\n", from) : -1; next !== -1 && next < until; ) {
      counted = { span: found, offset: next + 1, lines: counted.lines + 1 }
      next = text.indexOf("\n", next + 1)
    }
    return { span, fileLine: Math.min(lines[1], lines[0] + counted.lines) }
  }
  const lineEnd = (start: number) => {
    if (newline < start) newline = text.indexOf("\n", start)
    if (newline === -1) newline = text.length
    return newline
  }
  const isEven = !UNEVEN.test(text) && hiddenIn(text).length === 0
  return { part, isEven, lineEnd, placeOf }
}

interface Line {
  readonly start: number
  readonly end: number
  readonly columns: number
}

/** Where a row of a line ends: at a space if there is one in its second half. */
function rowEnd(text: string, { start, end, columns }: Line): number {
  let [used, space, at] = [0, -1, start]
  while (at < end) {
    const point = text.codePointAt(at) ?? 0
    const size = point > 0xffff ? 2 : 1
    used += columnsOf(point)
    // Marks take no column, and a letter may have any number of them.
    if ((used > columns || at - start > MOST_UNITS * columns) && at > start) break
    at += size
    if (point === 0x20 || point === 0x09) space = at
  }
  return at >= end ? end : space > start + columns / 2 ? space : at
}

const MOST_UNITS = 8

/** What is not as wide as a letter: texts with it are measured character by character. */
const UNEVEN =
  /[\t\p{M}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\ud800-\udbff]/u
const TAB = 4

function columnsOf(point: number): number {
  if (point >= 0x20 && point < 0x7f) return 1
  if (point === 0x09) return TAB
  const character = String.fromCodePoint(point)
  if (isHidden(character)) return HIDDEN_COLUMNS
  if (/\p{M}/u.test(character)) return 0
  return point > 0xffff || UNEVEN.test(character) ? 2 : 1
}

/** A character that cannot be seen is written as its number, such as "U+202E". */
const HIDDEN_COLUMNS = 6
/** A run of a row's text that looks the same throughout. */
export interface Segment {
  readonly start: number
  readonly text: string
  readonly mark: "found" | "found-here" | "word" | "hidden" | undefined
}

export interface Mark {
  readonly start: number
  readonly end: number
  readonly mark: "found" | "found-here" | "word"
}

/** The row in segments; marks are in order, and the first of those that overlap wins. */
export function segmentsOf(
  text: string,
  { start, end }: Pick<TextRow, "start" | "end">,
  marks: readonly Mark[],
): readonly Segment[] {
  const found: Segment[] = []
  let at = start
  const plain = (to: number, mark: Segment["mark"]) => {
    found.push(...withHidden(text.slice(at, to), at, mark))
    at = to
  }
  for (const one of marks) {
    const [from, to] = [Math.max(at, one.start), Math.min(end, one.end)]
    if (to <= from) continue
    if (from > at) plain(from, undefined)
    plain(to, one.mark)
  }
  if (at < end) plain(end, undefined)
  return found
}

function withHidden(text: string, offset: number, mark: Segment["mark"]): readonly Segment[] {
  const found: Segment[] = []
  let at = 0
  for (const { at: index, character } of hiddenIn(text)) {
    if (index > at) found.push({ start: offset + at, text: text.slice(at, index), mark })
    found.push({ start: offset + index, text: numberOf(character), mark: "hidden" })
    at = index + character.length
  }
  if (at < text.length) found.push({ start: offset + at, text: text.slice(at), mark })
  return found
}

/** A word around an offset, or the offset's own character. */
export function wordAt(text: string, offset: number): readonly [number, number] {
  const isWord = (at: number) => /[\p{L}\p{N}_]/u.test(text.charAt(at))
  let [start, end] = [offset, offset]
  while (start > 0 && offset - start < MOST_WORD && isWord(start - 1)) start -= 1
  while (end < text.length && end - offset < MOST_WORD && isWord(end)) end += 1
  return start === end ? [offset, Math.min(text.length, offset + 1)] : [start, end]
}

const MOST_WORD = 100

/** Whose a span is, where it has no file. */
export function ownerWords(span: ShownSpan | undefined): string {
  if (span === undefined) return ""
  const { owner, section } = span
  if (owner === null) return section === null ? "" : "written by the compiler"
  const { kind, path, name, server } = owner
  if (path !== undefined) return name === undefined ? path : `${path}, ${name}`
  return [kind === "client" ? "the client's own" : kind.replaceAll("-", " "), server, name]
    .filter(Boolean)
    .join(" · ")
}
