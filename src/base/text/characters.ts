// Cuts a text at a length without parting what people see as one character: a letter and its accents, an emoji and
// what is joined to it, a flag. Lengths are JavaScript's own, in UTF-16 units.

let segmenter: Intl.Segmenter | undefined

/** The start of a text, at most so long. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text
  return text.slice(0, characterAt(text, most).index || besidePair(text, most, -1))
}

/** The end of a text, at most so long. */
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

/** The one that a place is in; most places are the start of one. */
function characterAt(text: string, at: number): Character {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return segmenter.segment(text).containing(at) ?? { index: at, segment: "" }
}

/** For one character that is longer than the limit: the next place, in a direction, that is not within a pair. */
function besidePair(text: string, at: number, step: -1 | 1): number {
  const isWithin = /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at))
  return isWithin ? at + step : at
}
