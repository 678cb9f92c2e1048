// The weight of a message: how much it carries, from its length, its marks and a few words. A sum of named shares,
// so that the reason for a weight can be printed.
import { findKeyword, fold, questionMark } from "./keywords.ts"

export const WEIGHT_PARTS = ["base", "length", "question", "urgency", "small-talk"] as const
export type WeightPart = (typeof WEIGHT_PARTS)[number]

export interface Share {
  readonly part: WeightPart
  /** What it adds; less than nothing for small talk. */
  readonly amount: number
  /** The word or mark that it was given for. */
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

// All amounts are thousandths: whole numbers add up exactly, so a weight never misses a threshold by a rounding.
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
    // Counted as a reader would, and folded: indents and blank lines carry nothing.
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

/** One character each; what ends a line may be two. */
const PLAIN = /^[ -~]*$/

let segmenter: Intl.Segmenter | undefined

/** How many there are, but not more than the limit. To make a segmenter takes long, and few texts need one. */
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
