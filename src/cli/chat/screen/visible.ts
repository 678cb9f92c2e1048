// Text of others as a terminal may show it: nothing in it moves the cursor, changes the terminal or hides. Joiners that
// make one emoji, or that a script is written with, stay.
import { escapeHidden } from "../../../record/ask/log.ts"

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

/** Lines without colours. Tabs stay: a file that is written from a pipe may need them. */
export function visibleText(text: string): string {
  return text
    .split(LINE_OR_TAB)
    .map((piece, at) => (at % 2 === 1 ? piece : visible(piece)))
    .join("")
}

const LINE_OR_TAB = /([\n\t])/

/** Lines, and in them the colours of a painter and what clears a line before it is written, which may only come first. */
export function visibleView(text: string): string {
  return text
    .split(OWN)
    .map((piece, at) => (at % 2 === 1 ? piece : visible(piece)))
    .join("")
}

const ESC = "\u001b"
const OWN = new RegExp(String.raw`(\r?\n|${ESC}\[(?:[1-49]|2[2-49]|3[1-69])m|^\r(?:${ESC}\[K)?)`)

const HARMLESS = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]*$/

/**
 * For what somebody is asked to agree to: not even a joiner is left as it is, no blank that is another one than it seems,
 * and no run of blanks that would push what follows out of sight.
 */
export function exact(text: string): string {
  return escaped(text.replaceAll("\t", "    ")).replaceAll(BLANKS, ({ length }) => `[${length} blanks]`)
}

/** More than any line is indented by; less than fills a row of a window that is not narrow. */
const BLANKS = / {41,}/g
/** Letters and marks that nothing is drawn for, and blanks of other kinds. */
const UNDRAWN = /[\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

function escaped(text: string): string {
  return escapeHidden(text).replaceAll(
    UNDRAWN,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`,
  )
}

export function visibleLines(text: string): readonly string[] {
  return text.replace(/\n+$/, "").split(/\r?\n/).map(visible)
}

/** Whether something in it would not be seen; line ends and tabs are. */
export function hasHidden(text: string): boolean {
  const shown = text.replaceAll(/\r?\n|\t/g, " ")
  return escaped(shown) !== shown
}

/** Whether `exact` gives the number of some blanks in their place. */
export function hasBlanks(text: string): boolean {
  return text.split("\n").some((line) => line.replaceAll("\t", "    ").search(BLANKS) !== -1)
}
