// The terms by which a text is found: folded and stemmed words, whole dotted or hyphenated names, and pairs of
// characters in scripts without spaces. Stored texts and questions use the same terms, so nothing depends on the
// index's own tokenizer.
import { oncePerText } from "../../base/memo/once.ts"
import { stem } from "./stem.ts"

/** Scripts written without spaces between words. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc`
const WORD = new RegExp(
  String.raw`[${UNSPACED}]+|\p{Extended_Pictographic}|[\p{L}\p{N}\p{M}]+(?:[-_.'\u2019/@+][\p{L}\p{N}\p{M}]+)*`,
  "gu",
)
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, "u")
const PARTS = /[-_.'’/@+]/
/** Replaces the characters that join a name, so that a term is one word to SQLite. */
const JOINT = "·"
/** A longer one is not a word and would only fill the index. */
const LONGEST = 64
/** The rest of a longer question is ignored. */
const MAX_QUESTION = 4_096
const MAX_QUESTION_TERMS = 48

export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being both but by can could did do does
  doing done down during each else ever every few for from further get gets getting got had has have having he her here
  hers herself him himself his how i if in into is it its itself just let me more most much my myself no nor not now of
  off on once one only or other our ours ourselves out over own same she should so some such than that the their theirs
  them themselves then there these they this those through to too under until up very was we were what when where which
  while who whom whose why will with would you your yours yourself yourselves ll ve re im dont didnt doesnt isnt wasnt
  cant wont thats whats s t d m`
    .split(/\s+/)
    .filter((word) => word !== ""),
)

/** A word found in a text: its term and its position. */
export interface Found {
  readonly term: string
  readonly at: number
  readonly end: number
}

const MOST_STEMS = 100_000

/** The terms of a text in order, including stop words. */
export function termsOf(text: string): readonly string[] {
  return wordsOf(text).map(({ term }) => term)
}

export function wordsOf(text: string): readonly Found[] {
  return foundIn(text).filter(({ term }) => term !== "")
}

function foundIn(text: string): readonly Found[] {
  const found: Found[] = []
  for (const match of text.matchAll(WORD)) {
    const [word] = match
    if (UNSPACED_RUN.test(word)) pushPairs(found, word, match.index)
    else pushWord(found, word, match.index)
  }
  return found
}

/** The terms of a question, each once. Stop words count only if there is nothing else. */
export function questionTerms(question: string): readonly string[] {
  const all = termsOf(question.slice(0, MAX_QUESTION))
  const unpaired = all.filter((term) => !isLone(term) || all.length === 1)
  const telling = unpaired.filter((term) => !STOP_WORDS.has(term))
  const used = telling.length > 0 ? telling : unpaired.length > 0 ? unpaired : all
  return [...new Set(used)].slice(0, MAX_QUESTION_TERMS)
}

/** A single character of an unspaced script: the pairs around it are more specific. */
function isLone(term: string): boolean {
  return UNSPACED_RUN.test(term) && [...term].length === 1
}

function pushPairs(found: Found[], run: string, start: number): void {
  let at = start
  const characters = [...run]
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1]
    const end = at + character.length
    found.push({ term: character, at, end })
    if (next !== undefined) found.push({ term: character + next, at, end: end + next.length })
    at = end
  }
}

function pushWord(found: Found[], word: string, at: number): void {
  const parts = word.split(PARTS)
  let start = at
  for (const part of parts) {
    // Drops what an apostrophe leaves behind, as in "Carol's".
    if (parts.length === 1 || !/^(s|t|d|m|ll|ve|re)$/i.test(part))
      found.push({ term: termOf(part), at: start, end: start + part.length })
    start += part.length + 1
  }
  if (parts.length > 1 && !/['’]/.test(word) && word.length <= LONGEST)
    found.push({ term: parts.map(fold).join(JOINT), at, end: at + word.length })
}

const termOf = oncePerText(MOST_STEMS, (word) => {
  const folded = fold(word).slice(0, LONGEST)
  // A stop word keeps its form, so that "being" does not become "be".
  return STOP_WORDS.has(folded) ? folded : stem(folded)
})

/**
 * Lower-cases, and applies compatibility forms; ignores accents on Latin, Greek and Cyrillic letters. Keeps a single
 * word only: a compatibility form may add spaces and signs.
 */
function fold(word: string): string {
  return word
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]|[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]/gu, "")
    .normalize("NFC")
}
