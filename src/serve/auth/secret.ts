// Secrets of tokens and codes: random, kept only as a hash, compared in constant time.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** Marks our tokens, so that people and scanners recognise one in a file. */
const PREFIX = "inc_"
const RANDOM_BYTES = 32
/** Longer texts are not hashed at all. */
const MOST_CHARACTERS = 200

/** A new secret with 256 bits of randomness, in characters that headers, cookies and shells leave alone. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(RANDOM_BYTES).toString("base64url")}`
}

/** What the store keeps of a secret: SHA-256 in hex. The secret is random, so that a slow hash adds nothing. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex")
}

/** Whether a text could be a secret of ours. Everything else is refused without asking the store. */
export function isSecretShaped(text: string): boolean {
  return text.length <= MOST_CHARACTERS && /^inc_[\w-]{43}$/.test(text)
}

/** Compares hashes, which have the same length whatever was sent, in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest()
  return timingSafeEqual(digest(given), digest(expected))
}
