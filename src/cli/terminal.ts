// The world as a command sees it: two streams, a width, colours or none, and the machine's facts.

export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Resolves when more may be written to `out` without piling up. */
  readonly drained: () => Promise<void>
  readonly columns: number
  readonly colour: boolean
  readonly cwd: string
  readonly home: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeZone: string
  readonly now: () => number
  /** Resolves when the user asks to stop. */
  readonly stopped: () => Promise<void>
}

export type Style = "bold" | "dim" | "red" | "yellow" | "green" | "blue" | "cyan" | "magenta"

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

export type Paint = (style: Style, text: string) => string

export function painter(terminal: Terminal): Paint {
  if (!terminal.colour) return (_style, text) => text
  return (style, text) => `\u001b[${CODES[style][0]}m${text}\u001b[${CODES[style][1]}m`
}

/** Cells that a text takes in a terminal: wide characters take two, combining ones none. */
export function cells(text: string): number {
  if (PLAIN.test(text)) return text.length
  let count = 0
  for (const segment of graphemes(text)) count += WIDE.test(segment) ? 2 : 1
  return count
}

/** Text in which every unit is a character of one cell: Latin letters, ellipses, boxes. */
const PLAIN = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2013-\u2026\u2500-\u259f]*$/

let segmenter: Intl.Segmenter | undefined

/** Characters as people see them. To make a segmenter takes long, and few texts need one. */
function graphemes(text: string): Iterable<string> {
  if (PLAIN.test(text)) return text
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const WIDE =
  /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\u3000-\u303f\uff01-\uff60]/u

/** Pads with blanks, or cuts with an ellipsis, to a number of cells. */
export function fitCell(text: string, width: number, align: "left" | "right" = "left"): string {
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

/** Lines of at most so many cells, broken at blanks; a word that is too long stands alone. */
export function wrap(text: string, width: number): readonly string[] {
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

export function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",")
}

export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`
}
