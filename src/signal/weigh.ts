// The weight of a message: how much substance it has, judged by its length, its marks and a few words. A sum of named
// shares, so that the reason for a weight can be printed.
import { findKeyword, fold, questionMark } from "./keywords.ts"

export const WEIGHT_PARTS = ["base", "length", "question", "urgency", "small-talk"] as const
export type WeightPart = (typeof WEIGHT_PARTS)[number]

export interface Share {
  readonly part: WeightPart
  /** What it adds; negative for small talk. */
  readonly amount: number
  /** The word or mark that caused it. */
  readonly word?: string
}

export interface Weighed {
  /** The sum of the shares, from 0 to 1, in thousandths. */
  readonly weight: number
  readonly shares: readonly Share[]
}

const findUrgency = findKeyword({
  starts: ["urgent", "asap", "critical", "emergency", "immediately"],
  whole: ["now"],
})
const findSmallTalk = findKeyword({
  starts: ["hello", "thanks", "lol", "haha"],
  whole: ["hi", "ok", "hey", "sure"],
})

// All amounts are in thousandths: whole numbers add up exactly, so rounding never makes a weight miss a threshold.
const BASE = 500
const PER_GRAPHEME = 2
const COUNTED_GRAPHEMES = 100
const QUESTION = 150
const URGENCY = 200
const SMALL_TALK = -300

export function weigh(text: string): Weighed {
  const folded = fold(text)
  const parts: readonly Share[] = [
    { part: "base", amount: BASE },
    // Counted in graphemes of the folded text: indents and blank lines add nothing.
    { part: "length", amount: PER_GRAPHEME * graphemes(folded, COUNTED_GRAPHEMES) },
    ...shareFor(questionMark(folded), "question", QUESTION),
    ...shareFor(findUrgency(folded), "urgency", URGENCY),
    ...shareFor(findSmallTalk(folded), "small-talk", SMALL_TALK),
  ]
  const sum = parts.reduce((total, { amount }) => total + amount, 0)
  return {
    weight: Math.min(Math.max(sum, 0), 1_000) / 1_000,
    shares: parts.map((part) => ({ ...part, amount: part.amount / 1_000 })),
  }
}

function shareFor(word: string | undefined, part: WeightPart, amount: number): readonly Share[] {
  return word === undefined ? [] : [{ part, amount, word }]
}

/** Printable ASCII: one grapheme per character. A line end may be two. */
const PLAIN = /^[ -~]*$/

let segmenter: Intl.Segmenter | undefined

/** The number of graphemes, up to the limit. Creating a segmenter is slow, and few texts need one. */
export function graphemes(text: string, limit: number): number {
  if (PLAIN.test(text)) return Math.min(text.length, limit)
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  let count = 0
  for (const _ of segmenter.segment(text)) {
    count += 1
    if (count === limit) return count
  }
  return count
}
