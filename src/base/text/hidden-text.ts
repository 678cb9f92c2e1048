// Text that a model reads but people don't see: tag characters, which mirror ASCII, and the supplementary variation
// selectors, which can carry a byte each. It is never sent, whatever its source.

/** The three flags in general use that are spelled with tag characters. Any other run of them is hidden text. */
const FLAG =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u

export const FLAG_PATTERN = FLAG.source

/** A selector after a Chinese character picks a variant of it, which some names need. */
const HIDDEN = new RegExp(
  `${FLAG_PATTERN}|[\\u{E0000}-\\u{E007F}]|(?<!\\p{scx=Han})[\\u{E0100}-\\u{E01EF}]`,
  "gu",
)

/** The first UTF-16 unit of every character in `HIDDEN`. */
const FIRST_UNIT = "\uDB40"

/** The offsets of hidden characters, in order. Each is two units long. */
export function hiddenText(text: string): readonly number[] {
  // Searching for one unit is far cheaper, and almost no text contains it.
  if (!text.includes(FIRST_UNIT)) return []
  return [...text.matchAll(HIDDEN)].filter(([found]) => found.length === 2).map(({ index }) => index)
}

export function withoutHiddenText(text: string): string {
  const hidden = hiddenText(text)
  if (hidden.length === 0) return text
  let kept = ""
  let from = 0
  for (const at of hidden) {
    kept += text.slice(from, at)
    from = at + 2
  }
  return kept + text.slice(from)
}
