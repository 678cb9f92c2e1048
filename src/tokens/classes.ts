// The class of every code point in the o200k pattern, as bits in one flat table, so that the scanner needs no regular
// expression. White space is Unicode's White_Space: it contains U+0085 but not U+FEFF (unlike JS `\s`).
import { classes } from "./o200k-ranks.js"

/** Allowed in the first half of a word: `\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`. */
export const UPPER = 1
/** Allowed in the second half of a word: `\p{Ll}\p{Lm}\p{Lo}\p{M}`. */
export const LOWER = 2
/** Also a symbol to the pattern, because a mark isn't a letter: `\p{M}`. */
export const MARK = 4
export const DIGIT = 8
export const SPACE = 16
/** CR and LF, which are SPACE as well. */
export const NEWLINE = 32

const BITS: Readonly<Record<string, number>> = {
  U: UPPER,
  L: LOWER,
  B: UPPER | LOWER,
  M: UPPER | LOWER | MARK,
  D: DIGIT,
  S: SPACE,
  N: SPACE | NEWLINE,
}

/** Indexed by code point. 0 is everything else: punctuation, symbols, controls, unassigned. */
export const classOf = new Uint8Array(0x110000)

/** The same for single bytes of UTF-8; 0 if not ASCII. Small enough to stay in the processor's cache. */
export const kindOfByte = new Uint8Array(256)

/** A run is a capital and a number in base 36. Read digit by digit: this runs at every start, before it is compiled. */
export function unpackClasses(): void {
  let point = 0
  for (let at = 0; at < classes.length; ) {
    const bits = BITS[classes.charAt(at++)] ?? 0
    const start = point
    let length = 0
    for (let digit = digitAt(at); digit >= 0; digit = digitAt(++at)) length = length * 36 + digit
    point += length
    if (bits > 0) classOf.fill(bits, start, point)
  }
  kindOfByte.set(classOf.subarray(0, 0x80))
}

/** The value of a digit in base 36, or -1 for a capital and after the end. */
function digitAt(at: number): number {
  const code = classes.charCodeAt(at)
  if (code <= 0x39) return code - 0x30
  return code >= 0x61 ? code - 0x61 + 10 : -1
}
