// The code that `incipit serve` prints: it signs in the owner once. After too many wrong guesses, or once it has
// expired, it works no longer; restarting the server makes another one.
import { randomBytes } from "node:crypto"
import { isSameSecret } from "./secret.ts"

const RANDOM_BYTES = 16
const MOST_GUESSES = 20
const LIFE_MS = 60 * 60_000

/** A code that can be used once. */
export interface OneTimeCode {
  readonly text: string
  /** Uses it up. Returns false if it is wrong, used, expired or guessed at too often; nothing says which. */
  take(given: string): boolean
}

/** Makes the code; it expires after an hour. */
export function createOneTimeCode(now: () => number): OneTimeCode {
  const text = randomBytes(RANDOM_BYTES).toString("base64url")
  const expiresAt = now() + LIFE_MS
  let guesses = 0
  let isUsed = false
  return {
    text,
    take(given) {
      const isRight = isSameSecret(given, text)
      if (!isRight) guesses += 1
      if (!isRight || isUsed || guesses > MOST_GUESSES || now() > expiresAt) return false
      isUsed = true
      return true
    },
  }
}
