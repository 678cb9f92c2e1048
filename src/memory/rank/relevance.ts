// How much of a message memory would have to know before recalling anything: the rarity of its heaviest words. Recall runs
// on every message, so it needs a floor that search, which is only asked on purpose, does not. A name that memory never
// mentions weighs most. The figures were tuned on conversations that the bench does not report.
import { STOP_WORDS, termsOf, wordsOf } from "./terms.ts"

/** How often a word of the message occurs in the units that are searched. */
export interface Counted {
  readonly term: string
  readonly count: number
}

/** The least score of the best hit, as a share of `askedFor`. */
export const RECALL_FLOOR = 0.43

/** Only the heaviest words count, so that a long message which mentions something memory knows still recalls it. */
const HEAVIEST = 6
/** A word that memory never uses, as a multiple of one that it uses once: often only another word for the same thing. */
const UNKNOWN_WORD = 0.5
const UNKNOWN_NAME = 2.5
/** Words that ask and thank. That memory does not use them says nothing about what it knows. */
const ASKING = new Set(
  termsOf(
    "tell show give please know remember recall remind explain describe say look find check want need help thanks hello hi",
  ),
)

export function rarityOf(count: number, units: number): number {
  return Math.log(1 + Math.max(0, units - count + 0.5) / (count + 0.5))
}

/** What a unit would score, roughly, if it had every word of the message. */
export function askedFor(message: string, counted: readonly Counted[], units: number): number {
  const names = namesIn(message)
  const once = rarityOf(1, units)
  const weights = counted.map(({ term, count }) => {
    if (count > 0) return rarityOf(count, units)
    if (names.has(term)) return once * UNKNOWN_NAME
    // The parts of a hyphenated word are counted by themselves.
    return isJoined(term) || ASKING.has(term) ? 0 : once * UNKNOWN_WORD
  })
  return weights
    .toSorted((a, b) => b - a)
    .slice(0, HEAVIEST)
    .reduce((sum, weight) => sum + weight, 0)
}

const SENTENCE_START = /(?:^|[.!?:;\n])[\s"'“‘(*_>-]*$/
const IDENTIFIER = /[._/@]/

/** Terms of words with a capital inside a sentence, and of names such as "scratch.txt" or "src/memory". */
export function namesIn(message: string): ReadonlySet<string> {
  // In a message without any small first letter, capitals say nothing.
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
  // A letter in place of what is not looked at: only the message's own start is the start of a sentence.
  return SENTENCE_START.test(`${from === 0 ? "" : "a"}${message.slice(from, at)}`)
}

function isJoined(term: string): boolean {
  return term.includes("·")
}
