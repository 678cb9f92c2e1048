// A text as lines that can be compared with those of a file: without indentation, trailing space and, if wanted, the line
// numbers that a read tool writes. Offsets lead back to the text. Pure.

export interface TextLines {
  readonly text: string
  /** Offsets at which the lines start, and the length of the text at the end. */
  readonly starts: readonly number[]
  /** What is compared. */
  readonly keys: readonly string[]
  /** Letters and digits of each line. */
  readonly weights: readonly number[]
}

export interface LinesOptions {
  /** Whether most lines may begin with their number. */
  readonly numbered?: boolean
}

/** `12\t`, `12→`, `12: `, `12|`, with or without spaces before it. */
const LINE_NUMBER = /^\s*\d{1,7}(?:\t|→|: ?|\|)/

export function textLines(text: string, options: LinesOptions = {}): TextLines {
  const starts = lineStarts(text)
  const lines = starts.slice(0, -1).map((start, at) => text.slice(start, starts[at + 1]))
  const isNumbered = options.numbered === true && areNumbered(lines)
  const keys = lines.map((line) => (isNumbered ? line.replace(LINE_NUMBER, "") : line).trim())
  return { text, starts, keys, weights: keys.map(weightOf) }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== text.length || text === "") starts.push(text.length)
  return starts
}

/** Most of the lines; a note of the tool may come before or after them. */
function areNumbered(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== "")
  return written.length > 0 && written.filter((line) => LINE_NUMBER.test(line)).length * 2 >= written.length
}

const OTHER_LETTER = /[\p{L}\p{N}]/u

/** How many letters and digits a text has. */
function weightOf(text: string): number {
  let weight = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 128) {
      const isDigit = code >= 48 && code <= 57
      const letter = code | 32
      if (isDigit || (letter >= 97 && letter <= 122)) weight += 1
    } else {
      const point = text.codePointAt(at) ?? code
      if (OTHER_LETTER.test(String.fromCodePoint(point))) weight += 1
      if (point > 0xffff) at += 1
    }
  }
  return weight
}
