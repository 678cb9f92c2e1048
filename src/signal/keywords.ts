// How rules find words in a message: in folded text, in one pass, and only English words. Anything else falls through
// to a default, so text in other languages is judged by its marks and length.

export interface Keywords {
  /** Match the start of a word: "build" matches "building", and "what" matches "whatever". */
  readonly starts?: readonly string[]
  /** Match only whole words. They may contain a space or an apostrophe. */
  readonly whole?: readonly string[]
}

/** The first keyword in a folded text. */
export type FindKeyword = (folded: string) => string | undefined

// Letters of any language in Latin script, so that no word starts after an accent. Other scripts are excluded, because
// Chinese text contains English words without spaces around them.
const IN_WORD = "[\\p{Script=Latin}\\p{M}\\p{Nd}_]"

/** Question marks: English, Greek, Armenian, Arabic, Ethiopic and fullwidth. */
const QUESTION = /[?\u037E\u055E\u061F\u1367\uFF1F]/

const EXCLAMATION = /[!\uFF01]$/

/** Lower case, straight apostrophes, single spaces, and none at the ends. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll("\u2019", "'").replaceAll(/\s+/g, " ").trim()
}

/**
 * Keywords are letters, apostrophes and spaces. No part of the pattern repeats, so it takes one pass. It is compiled at
 * the first message, so that callers who only compile a prompt don't pay for it.
 */
export function findKeyword({ starts = [], whole = [] }: Keywords): FindKeyword {
  const words = [...starts, ...whole.map((word) => `${word}(?!${IN_WORD})`)]
  let pattern: RegExp | undefined
  return (folded) => {
    pattern ??= new RegExp(`(?<!${IN_WORD})(?:${words.join("|")})`, "u")
    return pattern.exec(folded)?.[0]
  }
}

export function questionMark(folded: string): string | undefined {
  return QUESTION.exec(folded)?.[0]
}

export function closingExclamation(folded: string): string | undefined {
  return EXCLAMATION.exec(folded)?.[0]
}
