// How much of a message memory would have to know before recalling anything: the rarity of its heaviest words. Recall
// runs on every message, so it needs a floor; search runs on request and does not. A name that memory never mentions
// weighs most. The figures were tuned on conversations that the bench does not report.
import { STOP_WORDS, termsOf, wordsOf } from "./terms.ts"

/** How often a word of the message occurs in the searched units. */
export interface Counted {
  readonly term: string
  readonly count: number
}

/** The minimum score of the best hit, as a share of `askedFor`. */
export const RECALL_FLOOR = 0.43

/** Only the heaviest words count, so that a long message that mentions something memory knows still recalls it. */
const HEAVIEST = 6
/** The weight of a word that memory never uses, relative to one it uses once: often it is only a synonym. */
const UNKNOWN_WORD = 0.5
const UNKNOWN_NAME = 2.5
/** Words for asking and thanking. Their absence from memory is no evidence of what it knows. */
const ASKING: ReadonlySet<string> = new Set(
  termsOf(
    "tell show give please know remember recall remind explain describe say look find check want need help thanks hello hi",
  ),
)

export function rarityOf(count: number, units: number): number {
  return Math.log(1 + Math.max(0, units - count + 0.5) / (count + 0.5))
}

/** Roughly the score of a unit that has every word of the message. */
export function askedFor(message: string, counted: readonly Counted[], units: number): number {
  const names = namesIn(message)
  const once = rarityOf(1, units)
  const weights = counted.map(({ term, count }) => {
    if (count > 0) return rarityOf(count, units)
    if (names.has(term)) return once * UNKNOWN_NAME
    // The parts of a hyphenated word are counted separately.
    return isJoined(term) || ASKING.has(term) ? 0 : once * UNKNOWN_WORD
  })
  return weights
    .toSorted((a, b) => b - a)
    .slice(0, HEAVIEST)
    .reduce((sum, weight) => sum + weight, 0)
}

const SENTENCE_START = /(?:^|[.!?:;\n])[\s"'“‘(*_>-]*$/
const IDENTIFIER = /[._/@]/

/** Terms of capitalized words inside a sentence, and of names such as "scratch.txt" or "src/memory". */
export function namesIn(message: string): ReadonlySet<string> {
  // If no word starts with a lower-case letter, capitals mean nothing.
  const hasSmall = /(?<![\p{L}\p{N}])\p{Ll}/u.test(message)
  const names = wordsOf(message).filter(({ term, at, end }) => {
    const word = message.slice(at, end)
    if (isJoined(term)) return IDENTIFIER.test(word) && !isOfStopWords(word)
    return hasSmall && /^\p{Lu}/u.test(word) && !startsSentence(message, at)
  })
  return new Set(names.map(({ term }) => term))
}

/** Such as "and/or". */
function isOfStopWords(word: string): boolean {
  return word.split(IDENTIFIER).every((part) => STOP_WORDS.has(part.toLowerCase()))
}

function startsSentence(message: string, at: number): boolean {
  const from = Math.max(0, at - 8)
  // A letter replaces the text that is skipped: only the start of the message itself starts a sentence.
  return SENTENCE_START.test(`${from === 0 ? "" : "a"}${message.slice(from, at)}`)
}

function isJoined(term: string): boolean {
  return term.includes("·")
}
