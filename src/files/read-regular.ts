// Reads a regular file whole, up to a limit. A pipe or a device in its place is refused instead of waited for, and the
// limit holds for what is read, not only for what the file said of its size.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs"

export type RegularFile =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "not-regular" }
  | { readonly kind: "too-large" }

/** Throws as `open` does for what is not there or may not be read. */
export function readRegular(path: string, most: number): RegularFile {
  // Looked at first: to open a device may do something.
  if (!statSync(path).isFile()) return { kind: "not-regular" }
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(handle)
    if (!fstatSync(handle).isFile()) return { kind: "not-regular" }
    if (size > most) return { kind: "too-large" }
    return readUpTo(handle, size, most)
  } finally {
    closeSync(handle)
  }
}

function readUpTo(handle: number, size: number, most: number): RegularFile {
  const chunks: Buffer[] = []
  for (let length = 0; ; ) {
    const chunk = Buffer.alloc(Math.max(1, Math.min(most, size) - length + 1))
    const count = readSync(handle, chunk)
    if (count === 0) return { kind: "read", bytes: Buffer.concat(chunks) }
    chunks.push(chunk.subarray(0, count))
    length += count
    if (length > most) return { kind: "too-large" }
  }
}
