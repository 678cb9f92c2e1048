// Removes control characters from text that goes into a prompt: ESC, BEL, BS and the like control a terminal and mean
// nothing to a reader. Those that end a line or a page become a space, so that words do not run together; the others
// are removed. NUL is handled separately, and LF and tab are text.

export interface WithoutControls {
  readonly text: string
  readonly count: number
  /** The position of the first one in the original text; -1 if there was none. */
  readonly first: number
  /** Their names, at most five. */
  readonly kinds: string
}

/** A carriage return before a line feed is part of the line end. */
const CONTROL = /[^\P{Cc}\0\t\n\r]|\r(?!\n)/u
const EACH_CONTROL = new RegExp(CONTROL, "gu")
const ENDS = /[\v\f\r\u0085]/

const NAMES: Readonly<Record<string, string>> = {
  "\u0007": "BEL",
  "\b": "BS",
  "\v": "VT",
  "\f": "FF",
  "\r": "CR",
  "\u000e": "SO",
  "\u000f": "SI",
  "\u001b": "ESC",
  "\u007f": "DEL",
  "\u0085": "NEL",
  "\u009b": "CSI",
}
const MOST_KINDS = 5

export function withoutControls(text: string): WithoutControls {
  const first = text.search(CONTROL)
  if (first === -1) return { text, count: 0, first, kinds: "" }
  const kinds = new Set<string>()
  let count = 0
  const clean = text.replace(EACH_CONTROL, (character) => {
    count += 1
    if (kinds.size < MOST_KINDS) kinds.add(nameOf(character))
    return ENDS.test(character) ? " " : ""
  })
  return { text: clean, count, first, kinds: [...kinds].join(", ") }
}

function nameOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
  return NAMES[character] ?? `U+${code}`
}
