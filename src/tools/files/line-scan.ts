// Reads some lines of a file of any size, and counts its lines: piece by piece, decoding only the requested lines.
import { readSync } from "node:fs"
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { OpenFile } from "./open-file.ts"

export interface Scan {
  /** From the first requested line: LF line ends, no byte order mark. */
  readonly lines: readonly string[]
  /** There is only one line, and it continues. */
  readonly isCut: boolean
  /** Undefined if the file is too long to count them. */
  readonly total: number | undefined
}

const PIECE_BYTES = 256 * 1024
/** Reading is not the way to find something in a longer file. */
const MOST_BYTES = 256 * 1024 * 1024
/** More than fits into any answer. */
const MOST_TAKEN = 2 * 1024 * 1024
/** As much as git checks. */
const BINARY_BYTES = 8_000

/** Returns undefined for a file that is not text. */
export async function scanLines(
  { handle, size }: OpenFile,
  { from, lines, signal }: { readonly from: number; readonly lines: number; readonly signal: AbortSignal },
): Promise<Scan | undefined> {
  const taken: Buffer[] = []
  let takenBytes = 0
  let line = 1
  let position = 0
  let endsLine = true
  const piece = Buffer.alloc(PIECE_BYTES)
  while (position < MOST_BYTES) {
    const read = readSync(handle, piece, 0, PIECE_BYTES, position)
    if (read === 0) break
    const bytes = piece.subarray(0, read)
    if (position === 0 && isBinary(bytes)) return undefined
    for (let at = 0; at < read; ) {
      const found = bytes.indexOf(0x0a, at)
      const end = found === -1 ? read : found + 1
      if (line >= from && line < from + lines && takenBytes < MOST_TAKEN) {
        taken.push(Buffer.from(bytes.subarray(at, end)))
        takenBytes += end - at
      }
      if (found !== -1) line += 1
      at = end
    }
    endsLine = bytes.at(-1) === 0x0a
    position += read
    signal.throwIfAborted()
    await letOthersRun()
  }
  const total = position < size ? undefined : line - (endsLine ? 1 : 0)
  const wanted = linesOf(Buffer.concat(taken))
  // The last one may be a partial line; keep it if it is the only one.
  const isFull = takenBytes >= MOST_TAKEN
  return {
    lines: isFull && wanted.length > 1 ? wanted.slice(0, -1) : wanted,
    isCut: isFull && wanted.length === 1,
    total,
  }
}

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_BYTES).includes(0)
}

function linesOf(bytes: Buffer): readonly string[] {
  const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n")
  return text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")
}
