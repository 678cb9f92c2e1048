// Byte-pair merging of one piece: the lowest rank first, the leftmost among equals, until nothing merges. Short pieces
// are merged in place in quadratic time, which is fastest for them. Long ones use a heap, so that 100 KB without a
// break take milliseconds, not minutes. `as number` on a read means that the index is in range.
import { dropLeast, pushLeast } from "./heap.ts"
import { byteTokens, mergeOf, NONE } from "./ranks.ts"

/** The longest piece, in bytes, that is merged without a heap. Measured: the curves cross near here. */
const SHORT = 128

const shortRanks = new Int32Array(SHORT)

/** Writes a piece's tokens to the start of `tokens`, which must have room for one per byte. Returns how many. */
export function merge(bytes: Uint8Array, start: number, end: number, tokens: Int32Array): number {
  for (let at = start; at < end; at++) tokens[at - start] = byteTokens[bytes[at] as number] as number
  const length = end - start
  return length <= SHORT ? mergeShort(tokens, length) : mergeLong(tokens, length)
}

function mergeShort(tokens: Int32Array, length: number): number {
  const ranks = shortRanks
  for (let at = 0; at < length - 1; at++) ranks[at] = mergeOf(tokens[at] as number, tokens[at + 1] as number)
  for (let count = length; ; count--) {
    const at = lowest(ranks, count - 1)
    if (at < 0) return count
    tokens[at] = ranks[at] as number
    for (let next = at + 1; next < count - 1; next++) {
      tokens[next] = tokens[next + 1] as number
      ranks[next] = ranks[next + 1] as number
    }
    if (at > 0) ranks[at - 1] = mergeOf(tokens[at - 1] as number, tokens[at] as number)
    if (at < count - 2) ranks[at] = mergeOf(tokens[at] as number, tokens[at + 1] as number)
  }
}

/** The first position of the lowest rank among the first `count`, or -1 if nothing merges. */
function lowest(ranks: Int32Array, count: number): number {
  let best = NONE
  let place = -1
  for (let at = 0; at < count; at++) {
    const rank = ranks[at] as number
    if (rank < best) {
      best = rank
      place = at
    }
  }
  return place
}

/** A candidate is one number, ordered by rank, then by position. Ranks are below 2^18, so it stays exact. */
const PLACES = 2 ** 32

/**
 * The parts are a linked list in place; `ranks` holds the rank of merging a part with the next one. A candidate whose
 * rank no longer matches its position was overtaken by another merge and is skipped.
 */
function mergeLong(tokens: Int32Array, length: number): number {
  const ranks = new Int32Array(length)
  const before = new Int32Array(length)
  const after = new Int32Array(length)
  const heap = new Float64Array(2 * length)
  let size = 0
  const propose = (at: number): void => {
    const next = after[at] as number
    const rank = next < length ? mergeOf(tokens[at] as number, tokens[next] as number) : NONE
    ranks[at] = rank
    if (rank !== NONE) pushLeast(heap, size++, rank * PLACES + at)
  }
  for (let at = 0; at < length; at++) {
    before[at] = at - 1
    after[at] = at + 1
    propose(at)
  }
  while (size > 0) {
    const candidate = heap[0] as number
    dropLeast(heap, size--)
    const rank = Math.floor(candidate / PLACES)
    const at = candidate - rank * PLACES
    if (ranks[at] !== rank) continue
    tokens[at] = rank
    unlink(after[at] as number, { ranks, before, after })
    propose(at)
    if (at > 0) propose(before[at] as number)
  }
  return gather(tokens, after)
}

interface Parts {
  readonly ranks: Int32Array
  readonly before: Int32Array
  readonly after: Int32Array
}

function unlink(gone: number, { ranks, before, after }: Parts): void {
  const previous = before[gone] as number
  const next = after[gone] as number
  ranks[gone] = NONE
  after[previous] = next
  if (next < before.length) before[next] = previous
}

/** Moves the remaining tokens to the front and returns how many there are. */
function gather(tokens: Int32Array, after: Int32Array): number {
  let count = 0
  for (let at = 0; at < after.length; at = after[at] as number) tokens[count++] = tokens[at] as number
  return count
}
