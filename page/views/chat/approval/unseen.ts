// What is not seen in a text, or pushes the rest of it out of sight. In a question, a text must not look like less than
// it is.
import { numberOf } from "../../../parts/visible-text.ts"

/** Characters that are not drawn, blanks that only look like a space, long runs of blanks and of empty lines. */
const UNSEEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|[ \t]{41,}|(?<=\n)(?:[ \t]*\n){4,}/gu

export interface Unseen {
  readonly start: number
  readonly end: number
  /** What stands in its place. */
  readonly words: string
}

export function unseenIn(text: string): readonly Unseen[] {
  return [...text.matchAll(UNSEEN)].map(({ 0: found, index: start }) => ({
    ...{ start, end: start + found.length },
    words: wordsFor(found),
  }))
}

function wordsFor(found: string): string {
  if (found.endsWith("\n")) return `[${found.split("\n").length - 1} empty lines]\n`
  if (/^[ \t]{2}/.test(found)) return `[${found.length} blanks]`
  return numberOf(found)
}
