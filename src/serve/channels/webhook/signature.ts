// Signed requests. The signature covers the time and the body, so that neither can be changed, and a request that was
// recorded is of no use after a few minutes.
import { createHmac, timingSafeEqual } from "node:crypto"

export const TIME_HEADER = "x-incipit-timestamp"
export const SIGNATURE_HEADER = "x-incipit-signature"
/** How far the clocks of the two sides may differ, and for how long a request is valid. */
export const WINDOW_MS = 300_000

export interface SignedRequest {
  readonly body: string
  /** Seconds since 1970, as in the header. */
  readonly time: string
}

/** `v1=` and the HMAC-SHA-256 of `<time>.<body>`, in hexadecimal. */
export function signatureOf(secret: string, { body, time }: SignedRequest): string {
  return `v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`
}

/** Returns what is wrong, for the operator; the caller learns nothing but that it was refused. */
export function signatureProblem(
  secret: string,
  given: SignedRequest & { readonly signature: string; readonly now: number },
): "bad-signature" | "outside-window" | undefined {
  const [expected, actual] = [Buffer.from(signatureOf(secret, given)), Buffer.from(given.signature)]
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return "bad-signature"
  const at = /^\d{1,12}$/.test(given.time) ? Number(given.time) * 1_000 : Number.NaN
  return Math.abs(given.now - at) <= WINDOW_MS ? undefined : "outside-window"
}
