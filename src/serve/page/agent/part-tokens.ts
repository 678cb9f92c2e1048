// How many tokens each part of a request was, by what the provider counted in all. Where a provider caches up to marks,
// the tokens that it read end with a part, and those that it wrote end with the last mark: between such places, each part
// has its proportion. Pure.
import type { CallPart } from "../../../capture/split/part.ts"
import { apportion } from "../../../record/ask/attribute.ts"
import type { CacheRule } from "../../../render/cache/cache-rule.ts"
import { inputOf, type Usage } from "../../../render/cache/price.ts"

type Counted = Pick<CallPart, "tokens" | "breakpoint">

/** The end of a part, and the tokens up to there. */
interface Place {
  /** How many parts come before it. */
  readonly parts: number
  readonly tokens: number
}

export interface CountedOptions {
  readonly usage: Usage
  readonly rule: Pick<CacheRule, "lookup">
  /** How many of the parts the call before had sent, if it is known. */
  readonly sentBefore: number | undefined
}

/** Whole numbers that add up to the input. */
export function partTokens(parts: readonly Counted[], options: CountedOptions): readonly number[] {
  const { usage, rule } = options
  const end = { parts: parts.length, tokens: inputOf(usage) }
  let last: Place = { parts: 0, tokens: 0 }
  const counts: number[] = []
  for (const place of [...(rule.lookup === "breakpoint" ? knownPlaces(parts, options) : []), end]) {
    const weights = parts.slice(last.parts, place.parts).map(({ tokens }) => tokens)
    counts.push(...apportion(place.tokens - last.tokens, weights))
    last = place
  }
  return counts
}

function knownPlaces(parts: readonly Counted[], { usage, sentBefore }: CountedOptions): readonly Place[] {
  const all = inputOf(usage)
  const marked = {
    parts: parts.findLastIndex(({ breakpoint }) => breakpoint !== undefined) + 1,
    tokens: all - usage.uncached,
  }
  const known: Place[] = []
  let last: Place = { parts: 0, tokens: 0 }
  for (const place of [
    { parts: readParts(parts, usage.read, marked, sentBefore), tokens: usage.read },
    marked,
  ]) {
    const isAfter = place.parts > last.parts && place.tokens > last.tokens
    if (!isAfter || place.parts >= parts.length || place.tokens >= all) continue
    known.push(place)
    last = place
  }
  return known
}

/** How far the counts of parts may be off, as a share of what was read. */
const TOLERANCE = 0.05

/**
 * The parts whose end is nearest to what was read: all that the call before had sent, if that fits, or up to a mark, or
 * any. They end before the last mark, because more was written.
 */
function readParts(
  parts: readonly Counted[],
  read: number,
  marked: Place,
  sentBefore: number | undefined,
): number {
  const counted = parts.slice(0, marked.parts)
  const all = counted.reduce((sum, { tokens }) => sum + tokens, 0)
  let before = 0
  const ends = counted.slice(0, -1).map(({ tokens, breakpoint }, at) => {
    before += tokens
    const distance = Math.abs((before * marked.tokens) / Math.max(1, all) - read)
    return { parts: at + 1, distance, isMarked: breakpoint !== undefined }
  })
  const nearest = ends.toSorted((one, other) => one.distance - other.distance)
  const sent = nearest.find((end) => end.parts === sentBefore)
  const mark = nearest.find(({ isMarked }) => isMarked)
  const likely = [sent, mark].find((end) => end !== undefined && end.distance <= TOLERANCE * read)
  return (likely ?? nearest[0])?.parts ?? 0
}
