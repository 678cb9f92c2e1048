// Bytes that go with a message: what is piped in, or a file that is named with @. Images and PDFs are known by their
// first bytes; everything else must be text.
import { MOST_FILE_BYTES, MOST_TEXT_FILE_BYTES } from "../../agent/inbox/message/message-files.ts"
import type { SentFile } from "../../agent/setup/agent.ts"
import { IncipitError } from "../../base/error.ts"

/** The most bytes that are worth reading. */
export const MOST_BYTES = MOST_FILE_BYTES

const SIGNATURES: readonly (readonly [mediaType: string, is: (start: string) => boolean])[] = [
  ["image/png", (start) => start.startsWith("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (start) => start.startsWith("\xff\xd8\xff")],
  ["image/gif", (start) => /^GIF8[79]a/.test(start)],
  ["image/webp", (start) => /^RIFF.{4}WEBP/s.test(start)],
  ["application/pdf", (start) => start.startsWith("%PDF-")],
]
const SIGNATURE_BYTES = 16

/** Whether the bytes are to be read as text. */
export function isText(bytes: Uint8Array): boolean {
  return typeOf(bytes) === undefined
}

function typeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString("latin1")
  return SIGNATURES.find(([, is]) => is(start))?.[0]
}

/** Throws if it is too large, or neither text nor of a type that models take. `name`: how errors call it, too. */
export function attachmentOf(bytes: Uint8Array, name: string): SentFile {
  const mediaType = typeOf(bytes)
  if (mediaType === undefined)
    return { mediaType: "text/plain", data: Buffer.from(textOf(bytes, name)), name }
  if (bytes.length > MOST_FILE_BYTES) throw tooLarge(name, MOST_FILE_BYTES)
  return { mediaType, data: bytes, name }
}

/** Text of one encoding: programs on Windows pipe UTF-16, with a mark at its start. */
export function textOf(bytes: Uint8Array, name: string): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8"
  const text = decoded(bytes, encoding)
  if (text === undefined || text.includes("\0"))
    throw new IncipitError(
      "bad-argument",
      `${name} is neither text nor an image (PNG, JPEG, GIF, WebP) nor a PDF, which are what a model takes`,
    )
  if (Buffer.byteLength(text) > MOST_TEXT_FILE_BYTES) throw tooLarge(name, MOST_TEXT_FILE_BYTES)
  return text
}

export function tooLarge(name: string, most: number): IncipitError {
  return new IncipitError(
    "bad-argument",
    `${name} has more than ${most / 1_000_000} MB, the most that goes with a message. Send a part of it, for example with head or tail, or name the file in the message and let the agent read it`,
  )
}

function decoded(bytes: Uint8Array, encoding: "utf-8" | "utf-16le"): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    // What it throws for bytes that are no text.
    if (error instanceof TypeError) return undefined
    throw error
  }
}
