// Ids that sort by the time they were made: rows of one time then stand together in an index.
import { randomBytes } from "node:crypto"

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"

/** Twenty characters: the time in milliseconds, then chance. */
export function createIds(now: () => number): () => string {
  return () => {
    const time = encoded(BigInt(Math.max(0, Math.trunc(now()))), 10)
    const chance = encoded(BigInt(`0x${randomBytes(7).toString("hex")}`) & ((1n << 50n) - 1n), 10)
    return time + chance
  }
}

function encoded(value: bigint, length: number): string {
  let text = ""
  for (let rest = value; text.length < length; rest >>= 5n) text = `${DIGITS[Number(rest & 31n)]}${text}`
  return text
}
