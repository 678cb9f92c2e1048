// Makes text safe for a terminal: nothing in it can move the cursor, change the terminal or hide. Joiners stay if they
// form an emoji or belong to a script.
import { escapeHidden } from "../../../record/ask/log.ts"

/** Between parts of an emoji, or between letters of scripts in which joiners change the spelling. */
const JOINERS =
  /((?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})|(?<=[^\P{L}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]\p{M}*)[\u200c\u200d](?=\p{L}))/u

/** One line. */
export function visible(text: string): string {
  if (HARMLESS.test(text)) return text
  const spaced = text.replaceAll("\t", "    ")
  // Every second piece is a separator.
  return spaced
    .split(JOINERS)
    .map((piece, at) => (at % 2 === 1 ? piece : escapeHidden(piece)))
    .join("")
}

/** Lines without colours. Tabs stay: a file written from a pipe may need them. */
export function visibleText(text: string): string {
  return text
    .split(LINE_OR_TAB)
    .map((piece, at) => (at % 2 === 1 ? piece : visible(piece)))
    .join("")
}

const LINE_OR_TAB = /([\n\t])/

/** Lines with a painter's colours, and with the code that clears a line, which may only come first. */
export function visibleView(text: string): string {
  return text
    .split(PERMITTED)
    .map((piece, at) => (at % 2 === 1 ? piece : visible(piece)))
    .join("")
}

const ESC = "\u001b"
const PERMITTED = new RegExp(String.raw`(\r?\n|${ESC}\[(?:[1-49]|2[2-49]|3[1-69])m|^\r(?:${ESC}\[K)?)`)

const HARMLESS = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]*$/

/**
 * For text that the user is asked to approve: writes out every joiner, every blank that only looks like a space, and
 * long runs of blanks that would push the rest out of sight.
 */
export function exact(text: string): string {
  return escapeInvisible(text.replaceAll("\t", "    ")).replaceAll(
    BLANKS,
    ({ length }) => `[${length} spaces]`,
  )
}

/** More than any indent, and less than a row of a window of usual width. */
const BLANKS = / {41,}/g
/** Letters and marks that are not drawn, and blanks other than the space. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

function escapeInvisible(text: string): string {
  return escapeHidden(text).replaceAll(
    INVISIBLE,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`,
  )
}

export function visibleLines(text: string): readonly string[] {
  return text.replace(/\n+$/, "").split(/\r?\n/).map(visible)
}

/** Whether it contains invisible characters; line ends and tabs are fine. */
export function hasHidden(text: string): boolean {
  const shown = text.replaceAll(/\r?\n|\t/g, " ")
  return escapeInvisible(shown) !== shown
}

/** Whether `exact` replaces a run of blanks with its length. */
export function hasBlanks(text: string): boolean {
  return text.split("\n").some((line) => line.replaceAll("\t", "    ").search(BLANKS) !== -1)
}
