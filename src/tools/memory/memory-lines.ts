// Memory text as lines of an answer. Each begins with a mark at the left margin, so that no text can imitate the tool's
// own lines. A long one continues on further lines instead of being cut.
import type { Line } from "../answer.ts"

export interface Marks {
  readonly first: string
  readonly next: string
}

/** Short enough for a line of an answer, with any characters. */
const PIECE = /.{1,300}(?:\s|$)|.{1,300}/gsu

export function markedLines(text: string, { first, next }: Marks): readonly string[] {
  const pieces = text.match(PIECE) ?? [""]
  return pieces.map((piece, at) => `${at === 0 ? first : next}${piece}`.trimEnd())
}

/** Lines that represent one item: it counts as included if its last line is. */
export function oneThing(texts: readonly string[], tokens: number): readonly Line[] {
  return texts.map((text, at) => (at === texts.length - 1 ? { text, times: 1, tokens } : { text, times: 0 }))
}

export function linesText([first, last]: readonly [number, number]): string {
  return first === last ? `${first}` : `${first}-${last}`
}
