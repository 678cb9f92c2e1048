// How rules find words in a message: on folded text, in one pass, and only English ones.
// Whatever is not found falls through to a default, so text in other languages is read by its marks and length.

export interface Keywords {
  /** Found where a word starts with them: "build" is in "building", and "what" is in "whatever". */
  readonly starts?: readonly string[]
  /** Found only as whole words. They may have a space or an apostrophe in them. */
  readonly whole?: readonly string[]
}

/** The first keyword in a folded text. */
export type FindKeyword = (folded: string) => string | undefined

// Of any language in Latin letters, so that no word starts after an accent. Other scripts are left out: Chinese
// sets English words without spaces.
const IN_WORD = "[\\p{Script=Latin}\\p{M}\\p{Nd}_]"

/** Marks that make a question: English, Greek, Armenian, Arabic, Ethiopic and fullwidth. */
const QUESTION = /[?\u037E\u055E\u061F\u1367\uFF1F]/

const EXCLAMATION = /[!\uFF01]$/

/** Lower case, straight apostrophes, single spaces, and none at the ends. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll("\u2019", "'").replaceAll(/\s+/g, " ").trim()
}

/**
 * Keywords are letters, apostrophes and spaces. No part of the pattern repeats, so it takes one pass. It is made when
 * the first message comes: who only compiles a prompt does not wait for it.
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
