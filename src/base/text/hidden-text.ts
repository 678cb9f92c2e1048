// Text that a model reads and no person sees: tag characters, which mirror ASCII, and the supplementary variation
// selectors, which can carry a byte each. Nothing of it is ever sent, wherever it comes from.

/** The three flags in general use that are spelt with tag characters. Any other run of them is a hidden text. */
const FLAG =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u

export const FLAG_PATTERN = FLAG.source

/** A selector behind a Chinese character chooses its form, as names need it. */
const HIDDEN = new RegExp(
  `${FLAG_PATTERN}|[\\u{E0000}-\\u{E007F}]|(?<!\\p{scx=Han})[\\u{E0100}-\\u{E01EF}]`,
  "gu",
)

/** The first unit of every character that is looked for here. */
const FIRST_UNIT = "\uDB40"

/** Where hidden characters stand, in order; each is two units long. */
export function hiddenText(text: string): readonly number[] {
  // To look for one unit is far cheaper, and hardly any text has it.
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
