// Token counts of recent pieces: prompts repeat their words, and an entry here is one cache line where the vocabulary
// needs five. A piece of up to 16 bytes is its own key, read as four words without a loop. Fixed memory: a piece
// overwrites the previous entry in its slot. `as number` on a read means that the index is in range.

/** A piece is read in whole words, so this many bytes must follow the end of the text. */
export const PADDING = 16

const LONGEST = 16
const PLACE_BITS = 15
/** Words per entry: four for the key, then one for the key's length and the token count. */
const ENTRY_BITS = 3

const entries = new Int32Array(1 << (PLACE_BITS + ENTRY_BITS))
const masks = wordMasks()

/** The token count of a piece, from the cache or else from `ask`. */
export function countRecent(
  view: DataView,
  start: number,
  length: number,
  ask: (start: number, end: number) => number,
): number {
  if (length > LONGEST) return ask(start, start + length)
  const mask = length << 2
  const first = view.getInt32(start, true) & (masks[mask] as number)
  const second = view.getInt32(start + 4, true) & (masks[mask + 1] as number)
  const third = view.getInt32(start + 8, true) & (masks[mask + 2] as number)
  const fourth = view.getInt32(start + 12, true) & (masks[mask + 3] as number)
  const entry = entryOf(first, second, third, fourth)
  const known = entries[entry + 4] as number
  if (
    known >> 8 === length &&
    entries[entry] === first &&
    entries[entry + 1] === second &&
    entries[entry + 2] === third &&
    entries[entry + 3] === fourth
  )
    return known & 0xff
  const count = ask(start, start + length)
  entries[entry] = first
  entries[entry + 1] = second
  entries[entry + 2] = third
  entries[entry + 3] = fourth
  entries[entry + 4] = (length << 8) | count
  return count
}

function entryOf(first: number, second: number, third: number, fourth: number): number {
  const low = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
  const high = Math.imul(third, 0xc2b2ae35) ^ Math.imul(fourth, 0x27d4eb2f)
  const hash = low ^ high
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - PLACE_BITS)) << ENTRY_BITS
}

/** For every length, the four masks that clear the bytes after the piece. */
function wordMasks(): Int32Array {
  const table = new Int32Array((LONGEST + 1) * 4)
  const view = new DataView(table.buffer)
  for (let length = 0; length <= LONGEST; length++) {
    new Uint8Array(table.buffer, length * 16, length).fill(0xff)
  }
  for (let word = 0; word < table.length; word++) table[word] = view.getInt32(word * 4, true)
  return table
}
