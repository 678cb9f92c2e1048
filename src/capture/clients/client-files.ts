// Finds a client's files below a folder. Follows no links but the folder's own, and lists regular files only: a pipe
// with a fitting name is not opened. Reads no file.
import { statSync } from "node:fs"
import { basename, sep } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { errorCode } from "../../base/system-error.ts"
import { filesBelow, pathBelow } from "../../files/files-below.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { Client } from "../call.ts"
import type { CaptureFile } from "./reader.ts"

export interface FileSearch {
  readonly client: Client
  /** Whether a path below the folder, with `/`, is one of the client's files. For a file that is named: its name or whole path. */
  readonly isOne: (way: string) => boolean
  /** Folders that are not looked into, by name. */
  readonly skips?: ((name: string) => boolean) | undefined
  readonly note?: ((diagnostic: Diagnostic) => void) | undefined
}

/** Some clients write one file for each message. */
const MOST_ENTRIES = 1_000_000

/** The folder itself may be a link, and may also be a single file. In code-point order. */
export function clientFiles(folder: string, search: FileSearch): readonly CaptureFile[] {
  const { client, isOne, skips, note } = search
  const real = existingPathOf(folder)
  if (real === undefined) return []
  const isNamed = isOne(basename(real)) || isOne(real.split(sep).join("/"))
  const single = isNamed ? captureFile(real, client) : undefined
  if (single !== undefined) return [single]
  const found = filesBelow(real, { mostEntries: MOST_ENTRIES, ...(skips && { skips }) })
  // A file that is named but not one of this client's is no folder.
  for (const { path, reason } of found.unreadable)
    if (reason !== "ENOTDIR") note?.({ code: "capture-unreadable", path: pathBelow(real, path), why: reason })
  if (found.isCut) note?.({ code: "capture-too-many-files", path: real, limit: MOST_ENTRIES })
  return found.paths.filter(isOne).flatMap((way) => captureFile(pathBelow(real, way), client) ?? [])
}

/** Returns undefined if there is no regular file at the path. */
export function captureFile(path: string, client: Client): CaptureFile | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile() !== true) return undefined
    return { client, path, bytes: stat.size, changedAt: Math.floor(stat.mtimeMs) }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
