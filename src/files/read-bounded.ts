// Reads a whole file that has a limit: regular files only, and never more than the limit, even if the file grows while
// it is read or is sparse. What is refused is an error of the system, with a code, like any file that cannot be read.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"

/** Text that people write, such as a configuration. */
export const MAX_TEXT_BYTES = 1024 * 1024
/** Data that programs write, such as a saved prompt or a trace. */
export const MAX_DATA_BYTES = 64 * 1024 * 1024

export function readBounded(path: string, limit: number): string {
  // Without O_NONBLOCK, opening a pipe would wait for a writer for ever.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return readHandleBounded(handle, limit)
  } finally {
    closeSync(handle)
  }
}

export function readHandleBounded(handle: number, limit: number): string {
  const stat = fstatSync(handle)
  if (stat.isDirectory()) throw refusal("EISDIR", "it is a folder")
  if (!stat.isFile()) throw refusal("ENXIO", "it is not a file")
  if (stat.size > limit) throw tooLarge(limit)
  // One byte more than it should have, so that a file which grows is noticed; some say that they have none.
  const bytes = Buffer.allocUnsafe((stat.size === 0 ? limit : stat.size) + 1)
  let length = 0
  for (;;) {
    const read = readSync(handle, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.toString("utf8", 0, length)
    length += read
    if (length > limit || length === bytes.length) throw tooLarge(limit)
  }
}

function tooLarge(limit: number): Error {
  return refusal("EFBIG", `it is larger than the ${limit} bytes that are read, or grows while it is read`)
}

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
