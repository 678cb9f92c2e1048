// Reads the body of a request before anything else sees it: at most so many bytes, in at most so much time.
import { BUSY, type Refused } from "./refuse.ts"
import type { Refusal } from "./surface.ts"
import type { Held } from "./traffic.ts"

export interface BodyLimits {
  readonly bodyBytes: number
  readonly bodyMs: number
}

/** The body; undefined if there is none. */
export async function readBody(
  request: Request,
  { bodyBytes, bodyMs }: BodyLimits,
  held: Pick<Held, "take">,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer> | undefined } | { readonly refusal: Refused }> {
  // Without waiting for the bytes: an honest client says how many come.
  if (Number(request.headers.get("content-length") ?? 0) > bodyBytes) return { refusal: tooLarge(bodyBytes) }
  if (request.method === "GET" || request.method === "HEAD" || request.body === null)
    return { bytes: undefined }
  const reader = request.body.getReader()
  const late = Promise.withResolvers<"late">()
  const timer = setTimeout(() => late.resolve("late"), bodyMs)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late.promise])
      if (next === "late") return { refusal: tooSlow(bodyMs) }
      if (next.done) return { bytes: joined(chunks, size) }
      size += next.value.byteLength
      if (size > bodyBytes) return { refusal: tooLarge(bodyBytes) }
      if (!held.take(next.value.byteLength)) return { refusal: BUSY }
      chunks.push(next.value)
    }
  } catch {
    // The client went away or sent a broken body: it gets this answer if it is still there.
    return {
      refusal: { status: 400, code: "broken-body", message: "The body ended before it was complete." },
    }
  } finally {
    clearTimeout(timer)
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

function tooLarge(most: number): Refusal {
  const message = `The body is larger than ${most} bytes. \`serve.limits.body\` in incipit.yaml sets the limit for requests with a token.`
  return { status: 413, code: "body-too-large", message }
}

function tooSlow(ms: number): Refusal {
  return {
    status: 408,
    code: "body-too-slow",
    message: `The body took longer than ${ms / 1000} s to arrive.`,
  }
}
