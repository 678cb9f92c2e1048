// Which ids were seen, in little memory: 18 bytes for each instead of its text, so that a million calls fit easily. Ids
// are told apart by 64 bits of their hash; two that collide would count as one, which is not expected within a lifetime.

/** Marks for each id, as bits from 1 to 128. */
export interface IdTable {
  readonly size: number
  /** The marks that the id had before; 0 for a new one. */
  mark(id: string, bit: number): number
  marksOf(id: string): number
}

const FIRST_SLOTS = 1 << 10

export function createIdTable(): IdTable {
  let slots = FIRST_SLOTS
  let high = new Uint32Array(slots)
  let low = new Uint32Array(slots)
  let marks = new Uint8Array(slots)
  let size = 0
  /** The slot of a hash, or the free one that it belongs in. */
  const slotOf = (one: number, two: number) => {
    let slot = (one ^ two) & (slots - 1)
    while (marks[slot] !== 0 && (high[slot] !== one || low[slot] !== two)) slot = (slot + 1) & (slots - 1)
    return slot
  }
  const grow = () => {
    const [oldHigh, oldLow, oldMarks] = [high, low, marks]
    slots *= 2
    high = new Uint32Array(slots)
    low = new Uint32Array(slots)
    marks = new Uint8Array(slots)
    for (const [at, mark] of oldMarks.entries()) {
      if (mark === 0) continue
      const slot = slotOf(oldHigh[at] ?? 0, oldLow[at] ?? 0)
      high[slot] = oldHigh[at] ?? 0
      low[slot] = oldLow[at] ?? 0
      marks[slot] = mark
    }
  }
  return {
    get size() {
      return size
    },
    mark(id, bit) {
      const [one, two] = hashOf(id)
      const slot = slotOf(one, two)
      const before = marks[slot] ?? 0
      high[slot] = one
      low[slot] = two
      marks[slot] = before | bit
      if (before === 0) {
        size += 1
        if (size * 2 > slots) grow()
      }
      return before
    },
    marksOf(id) {
      return marks[slotOf(...hashOf(id))] ?? 0
    },
  }
}

/** Two independent 32-bit hashes by multiplication and rotation, with a final mix of both. */
function hashOf(text: string): readonly [number, number] {
  let one = 0xdeadbeef ^ text.length
  let two = 0x41c6ce57 ^ text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return [one >>> 0, two >>> 0]
}
