// How many cells a text takes in a terminal, and text made to fit: padded, cut or wrapped. Does not handle escape
// sequences. Which characters are wide is a table of Unicode, from a package; which belong together, the segmenter of
// the runtime says.
import { eastAsianWidth } from "get-east-asian-width"

/** Cells that a text takes in a terminal: wide characters and emoji take two, combining ones none. */
export function cells(text: string): number {
  if (PLAIN.test(text)) return text.length
  let count = 0
  for (const segment of graphemes(text)) count += cellsOfGrapheme(segment)
  return count
}

/**
 * An emoji sequence takes two cells, or one if it is to be shown as text; any other grapheme takes the sum of its
 * characters, at most two.
 */
function cellsOfGrapheme(segment: string): number {
  if (EMOJI.test(segment)) return segment.includes(AS_TEXT) ? 1 : 2
  let count = 0
  for (const char of segment) count += NO_CELL.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0)
  return Math.min(2, count)
}

/** Text in which every UTF-16 unit is a character of one cell: Latin letters, ellipses, boxes. */
const PLAIN = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2013-\u2026\u2500-\u259f]*$/

let segmenter: Intl.Segmenter | undefined

/** Characters as people see them. The segmenter is created on first use: it is slow to make and few texts need it. */
export function graphemes(text: string): Iterable<string> {
  if (PLAIN.test(text)) return text
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Shown as a picture by default, by a selector, or as a key cap. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
const AS_TEXT = "\ufe0e"
/** Marks, controls, and the vowels and finals of a decomposed Hangul syllable. */
const NO_CELL = /[\p{Mn}\p{Me}\p{Cc}\p{Cf}\u1160-\u11ff]/u

/**
 * Pads with blanks, or cuts with an ellipsis, to a number of cells. The result is one line, so that no name breaks a
 * table.
 */
export function fitCell(given: string, width: number, align: "left" | "right" = "left"): string {
  const text = oneLine(given)
  const size = cells(text)
  if (size <= width)
    return align === "left" ? text + " ".repeat(width - size) : " ".repeat(width - size) + text
  let kept = ""
  let used = 0
  for (const segment of graphemes(text)) {
    const next = cells(segment)
    if (used + next > width - 1) break
    kept += segment
    used += next
  }
  return `${kept}…${" ".repeat(Math.max(0, width - used - 1))}`
}

/** Writes out line ends, which a name may contain. */
export function oneLine(text: string): string {
  return text.replaceAll(LINE_ENDS, (end) => LINE_END_NAMES[end] ?? "")
}

const LINE_ENDS = /[\n\v\f\r\u0085\u2028\u2029]/g
const LINE_END_NAMES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\u0085": "\\u0085",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
}

/** Lines of at most `width` cells, broken at blanks; a longer word gets its own line. */
export function wrap(given: string, width: number): readonly string[] {
  const text = oneLine(given)
  const lines: string[] = []
  let line = text.slice(0, text.length - text.trimStart().length)
  for (const word of text.trim().split(" ")) {
    const next = line.trim() === "" ? line + word : `${line} ${word}`
    if (cells(next) <= width || line.trim() === "") line = next
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}
