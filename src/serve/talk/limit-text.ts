// Ends an answer where the client wants it to end: at a stop sequence, or after a number of tokens. Text that may still
// become a stop sequence is held back. How the text was cut into pieces makes no difference.
import { o200k } from "../../tokens/o200k.ts"

export type LimitHit =
  | { readonly kind: "length" }
  | { readonly kind: "stop-sequence"; readonly sequence: string }

/** Text goes in as it comes; what may be sent comes out. */
export interface LimitedText {
  add(piece: string): string
  /** What was held back. */
  end(): string
  hit(): LimitHit | undefined
}

export function limitText(stop: readonly string[], maxTokens: number | undefined): LimitedText {
  const stops = stopAt(stop.filter((sequence) => sequence !== ""))
  const tokens = firstTokens(maxTokens)
  return {
    add: (piece) => tokens.add(stops.add(piece)),
    end: () => tokens.add(stops.end()) + tokens.end(),
    hit: () => tokens.hit() ?? stops.hit(),
  }
}

function stopAt(sequences: readonly string[]): LimitedText {
  let held = ""
  let hit: LimitHit | undefined
  return {
    add(piece) {
      if (hit !== undefined) return ""
      held += piece
      const found = firstOf(sequences, held)
      if (found !== undefined) hit = { kind: "stop-sequence", sequence: found.sequence }
      const upTo = found?.at ?? held.length - unfinished(sequences, held)
      const sent = held.slice(0, upTo)
      held = found === undefined ? held.slice(upTo) : ""
      return sent
    },
    end() {
      const rest = held
      held = ""
      return rest
    },
    hit: () => hit,
  }
}

/** The occurrence that ends first, so that the result does not depend on later text. */
function firstOf(sequences: readonly string[], text: string) {
  let first: { readonly at: number; readonly sequence: string } | undefined
  for (const sequence of sequences) {
    const at = text.indexOf(sequence)
    if (at < 0) continue
    const end = at + sequence.length
    if (first === undefined || end < first.at + first.sequence.length) first = { at, sequence }
  }
  return first
}

/** How many characters at the end may be the beginning of a sequence. */
function unfinished(sequences: readonly string[], text: string): number {
  const most = (sequence: string) => {
    for (let length = Math.min(sequence.length - 1, text.length); length > 0; length -= 1)
      if (sequence.startsWith(text.slice(-length))) return length
    return 0
  }
  return Math.max(0, ...sequences.map(most))
}

/** A word, or the next characters of a long one, with the space before it. */
const WORD = /^\s*(?:\S{16}|\S{1,15}(?=\s))/u

/** Counts word by word: an answer that is cut has at most `most` tokens. */
function firstTokens(most: number | undefined): LimitedText {
  let held = ""
  let used = 0
  let hit: LimitHit | undefined
  const take = (word: string): string => {
    used += hit === undefined ? o200k.count(word) : 0
    if (used > (most ?? Number.POSITIVE_INFINITY)) hit = { kind: "length" }
    return hit === undefined ? word : ""
  }
  return {
    add(piece) {
      if (most === undefined) return piece
      held += piece
      let sent = ""
      for (let word = WORD.exec(held)?.[0]; word !== undefined; word = WORD.exec(held)?.[0]) {
        sent += take(word)
        held = held.slice(word.length)
      }
      return sent
    },
    end() {
      const rest = held
      held = ""
      return rest === "" ? "" : take(rest)
    },
    hit: () => hit,
  }
}
