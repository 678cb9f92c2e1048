// Ids that sort by creation time, so that rows from the same time are adjacent in an index.
import { Buffer } from "node:buffer"
import { randomFillSync } from "node:crypto"

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
const RANDOM_DIGITS = 10
/** Random bytes for this many ids are fetched at once: fetching takes longer than the rest. */
const IDS_AT_ONCE = 100

/** Twenty characters: the time in milliseconds, then random ones. */
export function createIds(now: () => number): () => string {
  const random = Buffer.alloc(RANDOM_DIGITS * IDS_AT_ONCE)
  let used = random.length
  return () => {
    if (used === random.length) {
      randomFillSync(random)
      used = 0
    }
    const bytes = random.subarray(used, used + RANDOM_DIGITS)
    used += RANDOM_DIGITS
    const chance = Array.from(bytes, (byte) => DIGITS[byte % DIGITS.length]).join("")
    return encoded(Math.max(0, Math.trunc(now()))) + chance
  }
}

function encoded(time: number): string {
  let text = ""
  for (let rest = time; text.length < 10; rest = Math.floor(rest / DIGITS.length))
    text = `${DIGITS[rest % DIGITS.length]}${text}`
  return text
}
