// Text of others as a terminal may show it: nothing in it moves the cursor, changes the terminal or hides. Joiners that
// make one emoji, or that a script is written with, stay.
import { escapeHidden } from "../../record/log.ts"

/** Between parts of an emoji; between letters of scripts in which joiners change how a word is written. */
const JOINERS =
  /((?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})|(?<=[^\P{L}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]\p{M}*)[\u200c\u200d](?=\p{L}))/u

/** One line. */
export function visible(text: string): string {
  if (HARMLESS.test(text)) return text
  const spaced = text.replaceAll("\t", "    ")
  // Every second piece is what was split at.
  return spaced
    .split(JOINERS)
    .map((piece, at) => (at % 2 === 1 ? piece : escapeHidden(piece)))
    .join("")
}

const HARMLESS = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]*$/

/** Not even a joiner is left as it is: for what somebody is asked to agree to. */
export function exact(text: string): string {
  return escapeHidden(text.replaceAll("\t", "    "))
}

export function visibleLines(text: string): readonly string[] {
  return text.replace(/\n+$/, "").split(/\r?\n/).map(visible)
}

/** Whether something in it would not be seen; line ends and tabs are. */
export function hasHidden(text: string): boolean {
  const shown = text.replaceAll(/\r?\n|\t/g, " ")
  return escapeHidden(shown) !== shown
}
