// A text as it is stored: compressed if that makes it shorter. A body as long as its text is the text itself.
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"

/** The minimum size for trying compression. */
const WORTH_TRYING = 160

export interface PackedText {
  /** Of the text. */
  readonly bytes: number
  readonly body: Uint8Array
}

export function packText(text: string): PackedText {
  const bytes = Buffer.from(text)
  const packed = bytes.length >= WORTH_TRYING ? zstdCompressSync(bytes) : bytes
  return { bytes: bytes.length, body: packed.length < bytes.length ? packed : bytes }
}

/** Returns undefined if it cannot be decompressed. */
export function unpackText({ bytes, body }: PackedText): string | undefined {
  if (body.length >= bytes) return Buffer.from(body).toString()
  try {
    return zstdDecompressSync(body, { maxOutputLength: bytes }).toString()
  } catch {
    // Any decoder error means that the text is lost.
    return undefined
  }
}
