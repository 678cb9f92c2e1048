// The lines of a file that may be gigabytes long and still growing, from an offset on. Only whole lines: the last one, if
// it has no line break yet, is left for the next time. Lines that cannot matter are passed over without being decoded.
// Files that end in `.zst` are decompressed on the way; offsets count decompressed bytes.
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createZstdDecompress } from "node:zlib"

export interface FileLine {
  /** Undefined if the line is longer than the limit. */
  readonly text: string | undefined
  /** Byte offsets: of its first byte, and after its line break. */
  readonly start: number
  readonly end: number
}

export interface LinesOptions {
  /** Begins at this byte, which must be the start of a line. */
  readonly from?: number
  /** Only lines that contain one of these. */
  readonly containing?: readonly string[]
  readonly mostBytes?: number
}

const CHUNK = 1 << 20
const LEAST = 1 << 10
const MOST_BYTES = 64 << 20
const LINE_BREAK = 10

/** Reads a regular file; opening never blocks. Throws what the file system says. */
export async function* linesOf(path: string, options: LinesOptions = {}): AsyncGenerator<FileLine> {
  const { from = 0, containing, mostBytes = MOST_BYTES } = options
  const wanted = containing?.map((text) => Buffer.from(text))
  const isWanted = (line: Buffer) => wanted === undefined || wanted.some((text) => line.includes(text))
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) return
    let start = from
    let offset = from
    let rest: Buffer[] = []
    for await (const data of path.endsWith(".zst")
      ? decompressed(file, from)
      : chunksOf(file, from, stat.size)) {
      let begin = 0
      for (let at = data.indexOf(LINE_BREAK); at !== -1; at = data.indexOf(LINE_BREAK, begin)) {
        const end = offset + at + 1
        const bytes = end - 1 - start
        const last = data.subarray(begin, at)
        begin = at + 1
        if (bytes > mostBytes) yield { text: undefined, start, end }
        else {
          const line = rest.length === 0 ? last : Buffer.concat([...rest, last])
          if (isWanted(line)) yield { text: line.toString("utf8"), start, end }
        }
        rest = []
        start = end
      }
      offset += data.length
      // What is too long anyway is not kept in memory.
      if (offset - start <= mostBytes) rest.push(data.subarray(begin))
      else rest = []
    }
  } finally {
    await file.close()
  }
}

/** Small files get small buffers: there may be a hundred thousand of them. */
async function* chunksOf(file: FileHandle, from: number, size: number): AsyncGenerator<Buffer> {
  for (let offset = from; ; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(LEAST, size - offset)))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset)
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
    offset += bytesRead
  }
}

/** Compressed text has no way in but from its beginning. */
async function* decompressed(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  const compressed = file.createReadStream({ autoClose: false, start: 0 })
  const output = createZstdDecompress({ chunkSize: CHUNK })
  // Iterating over the output throws its errors.
  pipeline(compressed, output, () => undefined)
  let left = from
  try {
    // The decompressor yields buffers only.
    for await (const chunk of output as AsyncIterable<Buffer>) {
      if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left)
      left = Math.max(0, left - chunk.length)
    }
  } finally {
    compressed.destroy()
    output.destroy()
  }
}
