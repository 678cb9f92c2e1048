// Cuts a text to a length without splitting a user-perceived character: a letter and its accents, a joined emoji, a
// flag. Lengths are in UTF-16 units, as in JavaScript.

let segmenter: Intl.Segmenter | undefined

/** The start of a text, at most `most` units long. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text
  return text.slice(0, characterAt(text, most).index || besidePair(text, most, -1))
}

/** The end of a text, at most `most` units long. */
export function lastCharacters(text: string, most: number): string {
  if (text.length <= most) return text
  const at = text.length - most
  const { index, segment } = characterAt(text, at)
  if (index === at) return text.slice(at)
  const next = index + segment.length
  return text.slice(next < text.length ? next : besidePair(text, at, 1))
}

interface Character {
  readonly index: number
  readonly segment: string
}

/** The character that contains an offset; most offsets are the start of one. */
function characterAt(text: string, at: number): Character {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return segmenter.segment(text).containing(at) ?? { index: at, segment: "" }
}

/** For a single character longer than the limit: moves an offset by `step` if it would split a surrogate pair. */
function besidePair(text: string, at: number, step: -1 | 1): number {
  const isWithin = /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at))
  return isWithin ? at + step : at
}
