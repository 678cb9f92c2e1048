// The part of a text that answers a question, within a number of tokens. Returns the whole text if it fits; otherwise a
// window around the words of the question, with "..." at each cut. Never splits a character.
import type { Counter } from "../../core/model/counter.ts"
import { type Found, wordsOf } from "./terms.ts"

export interface Snippet {
  readonly text: string
  readonly tokens: number
  /** Lines before the window, and lines in it. */
  readonly skipped: number
  readonly lines: number
}

export interface SnippetOptions {
  readonly terms: ReadonlySet<string>
  readonly most: number
  readonly counter: Counter
}

const CUT = "..."
/** How far a window may extend to the left to start at a sentence. */
const SENTENCE_REACH = 80

export function snippetOf(text: string, { terms, most, counter }: SnippetOptions): Snippet {
  const tokens = counter.count(text)
  if (tokens <= most) return { text, tokens, skipped: 0, lines: lineCount(text) }
  const room = Math.max(1, Math.floor((text.length * Math.max(1, most - 2)) / tokens))
  const start = windowStart(text, room, terms)
  for (let length = room; ; length = Math.floor(length * 0.85)) {
    const end = boundary(text, Math.min(text.length, start + length), start)
    const window = text.slice(start, end).trimEnd()
    const inner = window.trimStart()
    const shown = `${start > 0 ? `${CUT} ` : ""}${inner}${end < text.length ? ` ${CUT}` : ""}`
    const price = counter.count(shown)
    if (price <= most || length <= 1) {
      const final = price <= most ? { text: shown, tokens: price } : { text: CUT, tokens: counter.count(CUT) }
      // Blank lines at the start of the window are not shown, so they count as skipped.
      const before = text.slice(0, start + window.length - inner.length)
      return { ...final, skipped: lineCount(before) - 1, lines: lineCount(inner) }
    }
  }
}

/** The start of the window with the most different terms, moved to the start of a nearby sentence. */
function windowStart(text: string, room: number, terms: ReadonlySet<string>): number {
  const found = wordsOf(text).filter(({ term }) => terms.has(term))
  const best = bestFirst(found, room)
  if (best === undefined) return 0
  const from = Math.max(0, best.at - Math.min(SENTENCE_REACH, Math.floor(room / 3)))
  const before = text.slice(from, best.at)
  const sentence = Math.max(before.lastIndexOf(". "), before.lastIndexOf("? "), before.lastIndexOf("! "))
  const line = before.lastIndexOf("\n")
  const at = Math.max(sentence === -1 ? -1 : sentence + 2, line === -1 ? -1 : line + 1)
  if (at !== -1) return from + at
  return from === 0 ? 0 : boundary(text, best.at, 0)
}

function bestFirst(found: readonly Found[], room: number): Found | undefined {
  const inside = new Map<string, number>()
  let [left, best] = [0, 0]
  let first: Found | undefined
  for (const word of found) {
    inside.set(word.term, (inside.get(word.term) ?? 0) + 1)
    for (
      let gone = found[left];
      gone !== undefined && word.end - gone.at > room && gone !== word;
      gone = found[left]
    ) {
      const count = (inside.get(gone.term) ?? 1) - 1
      if (count === 0) inside.delete(gone.term)
      else inside.set(gone.term, count)
      left += 1
    }
    if (inside.size <= best) continue
    best = inside.size
    first = found[left]
  }
  return first
}

/**
 * The last gap between words before the offset, if one is near; otherwise the offset, moved out of a surrogate pair.
 */
function boundary(text: string, offset: number, least: number): number {
  if (offset >= text.length) return text.length
  const gap = text.slice(Math.max(least + 1, offset - 40), offset).search(/\s\S*$/)
  if (gap !== -1) return Math.max(least + 1, offset - 40) + gap + 1
  const code = text.charCodeAt(offset)
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset
}

function lineCount(text: string): number {
  let lines = 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1
  return lines
}
