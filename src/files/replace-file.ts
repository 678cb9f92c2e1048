// Puts a whole new content in place of a file, or nothing: never through a link, never outside of the folders that may
// be used, and only if the file still is what it was when the change was agreed to.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import process from "node:process"
import { errorCode } from "../base/system-error.ts"
import { existingPathOf } from "./real-path.ts"
import { readBytes, standsAt } from "./safe-file.ts"

export interface Replacement {
  /** A real path; what comes before its last name need not be there yet. */
  readonly path: string
  /** What must still be there; nothing, if there must not be such a file; `any`, if whatever is there may go. */
  readonly before: Buffer | "any" | undefined
  readonly after: Buffer
  /** Of a new file. One that is replaced keeps its own. */
  readonly mode?: number
}

/** Nothing was written: the folder is not where it was, or the file is not what it was. */
export class NotReplaced extends Error {
  override readonly name = "NotReplaced"
  readonly why: "folder-moved" | "file-changed"

  constructor(why: NotReplaced["why"]) {
    super(why)
    this.why = why
  }
}

let made = 0

export function replaceFile({ path, before, after, mode = 0o666 }: Replacement): void {
  const folder = dirname(path)
  // A folder that is made for a file of the user's alone is theirs alone, too.
  makeFolder(folder, (mode & 0o077) === 0 ? 0o700 : 0o777)
  made += 1
  const temporary = join(folder, `.${basename(path).slice(0, 40)}.${process.pid}-${made}.tmp`)
  rmSync(temporary, { force: true })
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  // What replaces a file that only few may read is not for others to read before it gets the same mode.
  const isNew = before === undefined || (before === "any" && !isThere(path))
  const handle = openSync(temporary, flags, isNew ? mode : 0o600)
  try {
    // Filled only when it is seen to be where it should be. Were its folder swapped for a link after that, neither the
    // rename nor the link would find it.
    if (!standsAt(handle, temporary)) throw moved()
    writeAll(handle, after)
    fsyncSync(handle)
    if (isNew) putNew(temporary, path)
    else putOver(temporary, path, { before: before ?? "any", handle })
  } finally {
    closeSync(handle)
    rmSync(temporary, { force: true })
  }
}

/** Each folder on the way is made where it should be, or is there already and no link. */
function makeFolder(folder: string, mode: number): void {
  const real = existingPathOf(folder)
  if (real === folder) return
  if (real !== undefined || folder === dirname(folder)) throw moved()
  makeFolder(dirname(folder), mode)
  mkdirSync(folder, { mode })
}

function moved(): NotReplaced {
  return new NotReplaced("folder-moved")
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function writeAll(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
}

/** A link fails where a file has come in between; a rename would replace it. */
function putNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    const code = errorCode(error)
    if (code === "EEXIST") throw changed()
    // Not every disk has links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error
    if (isThere(path)) throw changed()
    renameSync(temporary, path)
  }
}

function putOver(
  temporary: string,
  path: string,
  { before, handle }: { readonly before: Buffer | "any"; readonly handle: number },
): void {
  const old = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(old)
    if (!stat.isFile() || !standsAt(old, path)) throw changed()
    const now = before === "any" ? before : readBytes({ handle: old, size: stat.size })
    if (now !== "any" && before !== "any" && !now.equals(before)) throw changed()
    fchmodSync(handle, stat.mode & 0o7777)
    renameSync(temporary, path)
  } finally {
    closeSync(old)
  }
}

function changed(): NotReplaced {
  return new NotReplaced("file-changed")
}
