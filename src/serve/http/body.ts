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
  const announced = announcedBytes(request)
  if (announced !== undefined && announced > bodyBytes) return { refusal: tooLarge(bodyBytes) }
  const isWithout = request.method === "GET" || request.method === "HEAD"
  const isAtOnce = announced !== undefined && announced <= AT_ONCE_BYTES
  const pieces = isWithout ? undefined : isAtOnce ? inOnePiece(request) : request.body?.getReader()
  if (pieces === undefined) return { bytes: undefined }
  // What is read in one piece is in memory before it can be counted.
  let counted = isAtOnce ? announced : 0
  if (!held.take(counted)) return { refusal: BUSY }
  const late = Promise.withResolvers<"late">()
  const timer = setTimeout(() => late.resolve("late"), bodyMs)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const next = await Promise.race([pieces.read(), late.promise])
      if (next === "late") return { refusal: tooSlow(bodyMs) }
      if (next.done) return { bytes: joined(chunks, size) }
      size += next.value.byteLength
      if (size > bodyBytes) return { refusal: tooLarge(bodyBytes) }
      if (size > counted && !held.take(size - counted)) return { refusal: BUSY }
      counted = Math.max(counted, size)
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

/** Undefined if the request doesn't say. */
function announcedBytes(request: Request): number | undefined {
  const bytes = Number(request.headers.get("content-length") ?? Number.NaN)
  return Number.isInteger(bytes) && bytes >= 0 ? bytes : undefined
}

/** As much as a stream gives at once. */
const AT_ONCE_BYTES = 65_536

/** A body that announces to be small is read in one piece: a stream of it costs more than the rest of the request. */
function inOnePiece(request: Request): Pick<ReadableStreamDefaultReader<Uint8Array>, "read"> {
  let isRead = false
  return {
    async read() {
      if (isRead) return { done: true, value: undefined }
      isRead = true
      return { done: false, value: new Uint8Array(await request.arrayBuffer()) }
    },
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
