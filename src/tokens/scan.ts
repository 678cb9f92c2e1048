// The o200k pre-tokenizer, written by hand: splits UTF-8 into the pieces that the o200k pattern matches one after the
// other. No piece depends on what came before it, and every byte is looked at a bounded number of times. The pattern's
// alternatives are quoted where they are decided. The bytes must be valid UTF-8. `as number` on a read means that the
// index is in range: every loop checks it against `end`.
import { classOf, DIGIT, kindOfByte, LOWER, MARK, NEWLINE, SPACE, UPPER } from "./classes.ts"

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const BLANK = 0x20
const APOSTROPHE = 0x27
const SLASH = 0x2f

/** Where the piece that begins at `start` ends. `start` must be below `end` and on a character boundary. */
export function pieceEnd(bytes: Uint8Array, start: number, end: number): number {
  const kind = kindAt(bytes, start)
  if (kind & (UPPER | LOWER)) return wordEnd(bytes, start, end)
  if (kind & DIGIT) return digitsEnd(bytes, start, end)
  const next = start + widthAt(bytes, start)
  if (!(kind & NEWLINE)) {
    const word = wordEnd(bytes, next, end)
    if (word > next) return word
  }
  if (!(kind & SPACE)) return symbolsEnd(bytes, start, end)
  if (bytes[start] === BLANK && next < end && isSymbol(kindAt(bytes, next)))
    return symbolsEnd(bytes, next, end)
  return spacesEnd(bytes, start, end)
}

/**
 * `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` and, if that fails, the same with `+` and `*` swapped;
 * then a contraction. Returns `start` if there is no word. Most words are ASCII, where no letter is both upper and
 * lower, and both alternatives give the same result.
 */
function wordEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && kindOfByte[bytes[at] as number] === UPPER) at += 1
  while (at < end && kindOfByte[bytes[at] as number] === LOWER) at += 1
  if (at === end) return at
  const stop = bytes[at] as number
  if (stop >= 0x80) return wideWordEnd(bytes, start, end)
  return stop === APOSTROPHE && at > start ? contractionEnd(bytes, at, end) : at
}

/**
 * If nothing lower follows the upper run, the regex gives characters back until one of them can be the lower half, so
 * the word ends after the last character that is both. The optional mark before a word needs no special case, because a
 * mark can itself be part of a word.
 */
function wideWordEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  let afterBoth = start
  let kind = 0
  while (at < end) {
    kind = kindAt(bytes, at)
    if (!(kind & UPPER)) break
    at += widthAt(bytes, at)
    if (kind & LOWER) afterBoth = at
  }
  if (at < end && kind & LOWER) return contractionEnd(bytes, lowerEnd(bytes, at, end), end)
  if (afterBoth > start) return contractionEnd(bytes, afterBoth, end)
  return at > start ? contractionEnd(bytes, at, end) : start
}

function lowerEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && kindAt(bytes, at) & LOWER) at += widthAt(bytes, at)
  return at
}

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`. Ignoring case, `s` also matches U+017F, the long s. */
function contractionEnd(bytes: Uint8Array, start: number, end: number): number {
  if (start + 1 >= end || bytes[start] !== APOSTROPHE) return start
  const first = lowerCase(bytes[start + 1] as number)
  if (first === "s" || first === "t" || first === "m" || first === "d") return start + 2
  if (start + 2 >= end) return start
  const second = bytes[start + 2] as number
  if (bytes[start + 1] === 0xc5 && second === 0xbf) return start + 3
  if ((first === "r" || first === "v") && lowerCase(second) === "e") return start + 3
  return first === "l" && lowerCase(second) === "l" ? start + 3 : start
}

function lowerCase(byte: number): string {
  return String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
}

/** `\p{N}{1,3}` */
function digitsEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  for (let digits = 0; digits < 3 && at < end && kindAt(bytes, at) & DIGIT; digits++) at += widthAt(bytes, at)
  return at
}

/** `[^\s\p{L}\p{N}]+[\r\n/]*` */
function symbolsEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isSymbol(kindAt(bytes, at))) at += widthAt(bytes, at)
  while (at < end && isLineEnd(bytes[at] as number)) at += 1
  return at
}

function isSymbol(kind: number): boolean {
  return kind === 0 || (kind & MARK) !== 0
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === SLASH
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last newline, or all but the last space, which the next word takes. */
function spacesEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  let last = start
  let afterNewline = start
  while (at < end) {
    const kind = kindAt(bytes, at)
    if (!(kind & SPACE)) break
    last = at
    at += widthAt(bytes, at)
    if (kind & NEWLINE) afterNewline = at
  }
  if (afterNewline > start) return afterNewline
  return at === end || last === start ? at : last
}

function kindAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number
  return byte < 0x80 ? (kindOfByte[byte] as number) : wideKindAt(bytes, at, byte)
}

function wideKindAt(bytes: Uint8Array, at: number, lead: number): number {
  const second = (bytes[at + 1] as number) & 0x3f
  if (lead < 0xe0) return classOf[((lead & 0x1f) << 6) | second] as number
  const third = (bytes[at + 2] as number) & 0x3f
  if (lead < 0xf0) return classOf[((lead & 0x0f) << 12) | (second << 6) | third] as number
  const fourth = (bytes[at + 3] as number) & 0x3f
  return classOf[((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth] as number
}

/** The width, in bytes, of the character that begins here. */
export function widthAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number
  if (lead < 0x80) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
