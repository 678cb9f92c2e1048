// Ids that sort by creation time, so that rows from the same time are adjacent in an index.
import { randomBytes } from "node:crypto"

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"

/** Twenty characters: the time in milliseconds, then random ones. */
export function createIds(now: () => number): () => string {
  return () => {
    const chance = Array.from(randomBytes(10), (byte) => DIGITS[byte % DIGITS.length]).join("")
    return encoded(Math.max(0, Math.trunc(now()))) + chance
  }
}

function encoded(time: number): string {
  let text = ""
  for (let rest = time; text.length < 10; rest = Math.floor(rest / DIGITS.length))
    text = `${DIGITS[rest % DIGITS.length]}${text}`
  return text
}
