// Splits a long answer into messages that Telegram accepts: between paragraphs if possible, else between lines, then
// words, and within a word only if it is longer than a message.
import type { StyledText, TextRange } from "./styled-text.ts"

/** Telegram's limit for the text of one message, counted in UTF-16 units. */
const LONGEST_TEXT = 4096
/** Telegram ignores further ranges of a message. */
const MOST_RANGES = 100

const BREAKS = [/\n{2,}/g, /\n/g, /\s+/g]

/** Together, the parts hold every character of the text but white space at the splits. */
export function split(styled: StyledText, longest = LONGEST_TEXT): readonly StyledText[] {
  const parts: StyledText[] = []
  let start = skipSpace(styled.text, 0)
  while (start < styled.text.length) {
    const end = endOfPart(styled.text, start, longest)
    const text = styled.text.slice(start, end).trimEnd()
    parts.push({ text, entities: rangesWithin(styled.entities, start, start + text.length) })
    start = skipSpace(styled.text, end)
  }
  return parts
}

function endOfPart(text: string, start: number, longest: number): number {
  if (text.length - start <= longest) return text.length
  // One more character: a break right behind the part is as good as one in it.
  const window = text.slice(start, start + longest + 1)
  for (const pattern of BREAKS) {
    const last = [...window.matchAll(pattern)].findLast(({ index }) => index > 0 && index <= longest)
    // A first part of a few words looks odd, so look for a smaller break.
    if (last !== undefined && (last.index >= longest / 4 || pattern === BREAKS.at(-1)))
      return start + last.index
  }
  // Don't cut a character in two.
  const isPair = /[\uD800-\uDBFF]/.test(text[start + longest - 1] ?? "") && longest > 1
  return start + longest - (isPair ? 1 : 0)
}

function skipSpace(text: string, from: number): number {
  const next = text.slice(from).search(/\S/)
  return next === -1 ? text.length : from + next
}

/** A range across a split continues in the next part. */
function rangesWithin(ranges: readonly TextRange[], start: number, end: number): readonly TextRange[] {
  return ranges
    .flatMap((range) => {
      const from = Math.max(range.offset, start)
      const to = Math.min(range.offset + range.length, end)
      return from < to ? [{ ...range, offset: from - start, length: to - from }] : []
    })
    .slice(0, MOST_RANGES)
}
