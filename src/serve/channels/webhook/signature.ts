// Signed requests. The signature covers the time and the body, so that neither can be changed, and a request that was
// recorded is of no use after a few minutes.
import { createHmac, timingSafeEqual } from "node:crypto"

export const TIME_HEADER = "x-incipit-timestamp"
export const SIGNATURE_HEADER = "x-incipit-signature"
/** How far the clocks of the two sides may differ, and for how long a request is valid. */
const WINDOW_MS = 300_000

export interface SignedRequest {
  readonly body: string
  /** Seconds since 1970, as in the header. */
  readonly time: string
}

/** `v1=` and the HMAC-SHA-256 of `<time>.<body>`, in hexadecimal. */
export function signatureOf(secret: string, { body, time }: SignedRequest): string {
  return `v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`
}

/** Whether one of the secrets signed the request, a short time ago. */
export function isSigned(
  secrets: readonly string[],
  given: SignedRequest & { readonly signature: string; readonly now: number },
): boolean {
  const actual = Buffer.from(given.signature)
  // Compares with all of them, so that the time taken doesn't tell which one it was.
  const matching = secrets.filter((secret) => isSame(Buffer.from(signatureOf(secret, given)), actual))
  const at = /^\d{1,12}$/.test(given.time) ? Number(given.time) * 1_000 : Number.NaN
  return matching.length > 0 && Math.abs(given.now - at) <= WINDOW_MS
}

function isSame(expected: Buffer, actual: Buffer): boolean {
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
