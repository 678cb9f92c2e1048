// The o200k tokenizer of OpenAI's models since GPT-4o: exact, synchronous, and linear in the length of the text. It
// never throws: the text of a special token such as `<|endoftext|>` is ordinary text, and a lone surrogate counts as
// U+FFFD, as in tiktoken. It adds no message overhead of a chat format. `as number` on a read means that the index is
// in range.
import type { Counter } from "../core/model/counter.ts"
import { unpackClasses } from "./classes.ts"
import { merge } from "./merge.ts"
import { byteLength, NONE, tokenOf, unpackRanks } from "./ranks.ts"
import { countRecent, PADDING } from "./recent.ts"
import { pieceEnd, widthAt } from "./scan.ts"

/** The counter for OpenAI's models since GPT-4o, exact; other models are estimated from it by a factor. */
export const o200k: Counter & { encode(text: string): number[] } = { name: "o200k", count, encode, prefix }

/** A text as UTF-8, with padding after its end that `countRecent` may read. */
interface Utf8 {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly length: number
}

/** Short texts and pieces share these buffers; long ones get their own. */
const scratchBytes = new Uint8Array(1 << 16)
const scratchView = new DataView(scratchBytes.buffer)
const scratchTokens = new Int32Array(1 << 10)
const encoder = new TextEncoder()

let unpacked = false

function count(text: string): number {
  const { bytes, view, length } = toUtf8(text)
  const ask = (start: number, end: number): number =>
    tokenOf(bytes, start, end) === NONE ? merge(bytes, start, end, roomFor(end - start)) : 1
  let total = 0
  for (let start = 0; start < length; ) {
    const end = pieceEnd(bytes, start, length)
    total += countRecent(view, start, end - start, ask)
    start = end
  }
  return total
}

function encode(text: string): number[] {
  const { bytes, length } = toUtf8(text)
  const tokens: number[] = []
  for (let start = 0; start < length; ) {
    const end = pieceEnd(bytes, start, length)
    const piece = roomFor(end - start)
    const count = encodePiece(bytes, start, end, piece)
    for (let at = 0; at < count; at++) tokens.push(piece[at] as number)
    start = end
  }
  return tokens
}

function prefix(text: string, limit: number): number {
  if (limit <= 0) return 0
  const { bytes, length } = toUtf8(text)
  let left = limit
  for (let start = 0; start < length; ) {
    const end = pieceEnd(bytes, start, length)
    const piece = roomFor(end - start)
    const count = encodePiece(bytes, start, end, piece)
    if (count > left) return unitsBefore(bytes, start + spanOf(piece, Math.floor(left)))
    left -= count
    start = end
  }
  return text.length
}

/** The platform's encoder is much faster than reading a string unit by unit. A unit takes at most three bytes. */
function toUtf8(text: string): Utf8 {
  if (!unpacked) unpack()
  const size = text.length * 3 + PADDING
  const bytes = size <= scratchBytes.length ? scratchBytes : new Uint8Array(size)
  const view = bytes === scratchBytes ? scratchView : new DataView(bytes.buffer)
  return { bytes, view, length: encoder.encodeInto(text, bytes).written }
}

function unpack(): void {
  unpackClasses()
  unpackRanks()
  unpacked = true
}

function roomFor(length: number): Int32Array {
  return length <= scratchTokens.length ? scratchTokens : new Int32Array(length)
}

function encodePiece(bytes: Uint8Array, start: number, end: number, piece: Int32Array): number {
  const token = tokenOf(bytes, start, end)
  if (token === NONE) return merge(bytes, start, end, piece)
  piece[0] = token
  return 1
}

/** How many bytes the first `count` tokens of a piece spell. */
function spanOf(piece: Int32Array, count: number): number {
  let span = 0
  for (let at = 0; at < count; at++) span += byteLength(piece[at] as number)
  return span
}

/** Converts a byte offset to a UTF-16 offset. Excludes a character that the byte offset splits. */
function unitsBefore(bytes: Uint8Array, end: number): number {
  let units = 0
  let at = 0
  for (;;) {
    const width = widthAt(bytes, at)
    if (at + width > end) return units
    units += width === 4 ? 2 : 1
    at += width
  }
}
