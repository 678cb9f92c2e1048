// Reads a whole file as text, opened by safe-file.ts. Never reads more than the limit, even if the file is sparse or
// grows while it is read. Throws a refusal with a code, like a system error. For bytes, and refusals as data, see
// read-regular.ts.
import { fstatSync, readSync } from "node:fs"
import { dirname } from "node:path"
import { existingPathOf } from "./real-path.ts"
import { type Refused, withSafeFile } from "./safe-file.ts"

/** Text that people write, such as a configuration. */
export const MAX_TEXT_BYTES = 1024 * 1024
/** Data that programs write, such as a saved prompt or a trace. */
export const MAX_DATA_BYTES = 64 * 1024 * 1024

export interface BoundedOptions {
  /** Refuse links that lead out of the file's folder, for files that came with that folder. */
  readonly staysInFolder?: boolean
}

export function readBounded(path: string, limit: number, options: BoundedOptions = {}): string {
  const folder = options.staysInFolder ? existingPathOf(dirname(path)) : undefined
  const roots = folder === undefined ? {} : { roots: [folder] }
  const opened = withSafeFile(path, { followsLinks: true, mostBytes: limit, ...roots }, ({ handle }) =>
    readHandleBounded(handle, limit),
  )
  switch (opened.kind) {
    case "opened":
      return opened.value
    case "absent":
      throw refusal("ENOENT", "no such file")
    case "unavailable":
      throw refusal(opened.reason, `the system reports ${opened.reason}`)
    case "refused":
      throw refusalOf(opened.refused, limit)
  }
}

export function readHandleBounded(handle: number, limit: number): string {
  const stat = fstatSync(handle)
  if (!stat.isFile()) throw notAFile(stat.isDirectory())
  if (stat.size > limit) throw tooLarge(limit)
  // One extra byte reveals a file that grows while it is read. Files in /proc report a size of 0.
  const bytes = Buffer.allocUnsafe((stat.size === 0 ? limit : stat.size) + 1)
  let length = 0
  for (;;) {
    const read = readSync(handle, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.toString("utf8", 0, length)
    length += read
    if (length > limit || length === bytes.length) throw tooLarge(limit)
  }
}

function refusalOf(refused: Refused, limit: number): Error {
  if (refused.why === "too-large") return tooLarge(limit)
  if (refused.why === "outside")
    return refusal("EXDEV", "it is a link out of the folder; copy the file it points to")
  if (refused.why === "foreign")
    return refusal("FOREIGN", "it belongs to another user, in a folder that anyone can write to")
  return notAFile(refused.why === "not-a-file" && refused.isFolder)
}

function notAFile(isFolder: boolean): Error {
  return isFolder ? refusal("EISDIR", "it is a folder") : refusal("ENXIO", "it is not a file")
}

function tooLarge(limit: number): Error {
  return refusal("EFBIG", `it is larger than the limit of ${limit} bytes, or grows while it is read`)
}

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
