// The words of a text, for searches: as SQLite's text index finds them, so that both drivers find the same events. A word
// is a run of letters and digits, whatever its case or accents.

/** The marks that SQLite takes for accents; others end a word. */
const MARKS = "\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331"
/** SQLite takes a character that it doesn't know for a letter. */
const LETTER = "\\p{L}\\p{N}\\p{Co}\\p{Cn}"
const WORD = new RegExp(`[${LETTER}][${LETTER}${MARKS}]*`, "gu")

/** The index refuses longer ones, such as encoded files. They are found all the same: what is searched is cut, too. */
const LONGEST = 200

export function wordsIn(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => folded(word.slice(0, LONGEST).toWellFormed()))
}

/** Separates the words of two texts, so that no phrase spans both. */
const BETWEEN = "\n"

/** As stored: the words of all texts in order. Returns null if there are none. */
export function storedWords(texts: readonly (string | null)[]): string | null {
  const words = texts.flatMap((text, at) => [...(at === 0 ? [] : [BETWEEN]), ...wordsIn(text ?? "")])
  return words.every((word) => word === BETWEEN) ? null : words.join(" ")
}

function folded(word: string): string {
  // Most words need no more.
  return /^[a-z0-9]*$/.test(word) ? word : [...word].map(foldedLetter).join("")
}

const MARK = new RegExp(`^[${MARKS}]$`, "u")
const LATIN_WITH_MARK = new RegExp(`^[A-Za-z][${MARKS}]$`, "u")

/** A Latin letter loses its accent if it has only one; a mark by itself goes. */
function foldedLetter(letter: string): string {
  if (MARK.test(letter)) return ""
  const apart = letter.normalize("NFD")
  return LATIN_WITH_MARK.test(apart) ? apart.charAt(0).toLowerCase() : smallLetter(letter)
}

/** By way of the capital, which a final sigma shares with others. A letter never becomes several. */
function smallLetter(letter: string): string {
  // Its capital is that of another letter.
  if (letter === "ı") return letter
  for (const small of [letter.toUpperCase().toLowerCase(), letter.toLowerCase()])
    if ([...small].length === 1) return small
  return letter
}
