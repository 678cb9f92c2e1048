// Replaces the whole content of a file, or changes nothing, also if the machine stops halfway. Never writes through a
// link or outside the allowed folders, and only if the file is still what it was when the change was approved.
import { randomInt } from "node:crypto"
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
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import process from "node:process"
import { errorCode } from "../base/system-error.ts"
import { existingPathOf } from "./real-path.ts"
import { isStillAt, readBytes } from "./safe-file.ts"
import { isTemporaryFor, temporaryName } from "./temporary-name.ts"

export interface Replacement {
  /** A real path. Its parent folders need not exist yet. */
  readonly path: string
  /** The content the file must still have; undefined if it must not exist; `any` if any content may be replaced. */
  readonly before: Buffer | "any" | undefined
  readonly after: Buffer
  /** The mode of a new file. A replaced file keeps its mode. */
  readonly mode?: number
  /** A copy of what is kept elsewhere: it may be lost when the machine stops, so nothing waits for the disk. */
  readonly isCopy?: boolean
}

/** Nothing was written. */
export class NotReplaced extends Error {
  override readonly name = "NotReplaced"
  readonly why: "folder-moved" | "file-changed" | "not-a-file"

  constructor(why: NotReplaced["why"]) {
    super(WORDS[why])
    this.why = why
  }
}

/** Completes the sentence "cannot write FILE: …". */
const WORDS: Readonly<Record<NotReplaced["why"], string>> = {
  "folder-moved": "its folder is a link or was moved",
  "file-changed": "it was changed by another program",
  "not-a-file": "it is not a regular file",
}

/** Process ids are not enough: two containers that share a folder can have the same. */
const MOST_IDS = 2 ** 48 - 1

export function replaceFile({ path, before, after, mode = 0o666, isCopy = false }: Replacement): void {
  const folder = dirname(path)
  // A folder created for a private file is private, too.
  makeFolder(folder, (mode & 0o077) === 0 ? 0o700 : 0o777)
  const temporary = join(folder, temporaryName(basename(path), `${process.pid}-${randomInt(MOST_IDS)}`))
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  // The replacement of a private file must not be readable by others before it gets the same mode.
  const isNew = before === undefined || (before === "any" && !isThere(path))
  const handle = openSync(temporary, flags, isNew ? mode : 0o600)
  try {
    // Write only after checking that the temporary file is in the right place. If its folder is swapped for a link
    // after that, neither the rename nor the link finds it.
    if (!isStillAt(handle, temporary)) throw moved()
    writeAll(handle, after)
    const written = { temporary, handle, isCopy }
    if (isNew) putNew(written, path)
    else putOver(written, path, before ?? "any")
    if (!isCopy) removeLeftBehind(path, fstatSync(handle).mtimeMs)
  } finally {
    closeSync(handle)
    rmSync(temporary, { force: true })
  }
  if (isCopy) return
  // The content is on the disk; now the name is, too.
  syncFolder(folder)
}

/** Creates each missing folder on the path. Those that exist must not be links. */
function makeFolder(folder: string, mode: number): void {
  const real = existingPathOf(folder)
  if (real === folder) return
  if (real !== undefined || folder === dirname(folder)) throw moved()
  makeFolder(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process was faster, or there is a broken link.
    if (errorCode(error) !== "EEXIST") throw error
    if (existingPathOf(folder) !== folder) throw moved()
  }
  syncFolder(dirname(folder))
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

interface Written {
  readonly temporary: string
  readonly handle: number
  readonly isCopy: boolean
}

/** `link` fails if a file was created in the meantime; `rename` would replace it. */
function putNew({ temporary, handle, isCopy }: Written, path: string): void {
  if (!isCopy) fsyncSync(handle)
  try {
    linkSync(temporary, path)
  } catch (error) {
    const code = errorCode(error)
    if (code === "EEXIST") throw changed()
    // Some file systems have no hard links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error
    if (isThere(path)) throw changed()
    renameSync(temporary, path)
  }
}

function putOver({ temporary, handle, isCopy }: Written, path: string, before: Buffer | "any"): void {
  const old = openOld(path)
  try {
    const stat = fstatSync(old)
    if (!stat.isFile()) throw new NotReplaced("not-a-file")
    if (!isStillAt(old, path)) throw changed()
    const now = before === "any" ? before : readBytes({ handle: old, size: stat.size })
    if (now !== "any" && before !== "any" && !now.equals(before)) throw changed()
    fchmodSync(handle, stat.mode & 0o7777)
    if (!isCopy) fsyncSync(handle)
    renameSync(temporary, path)
  } finally {
    closeSync(old)
  }
}

function openOld(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw changed()
    throw error
  }
}

function changed(): NotReplaced {
  return new NotReplaced("file-changed")
}

/** No write takes this long, on any machine that shares the folder. */
const LEFT_BEHIND_MS = 60 * 60 * 1000

/**
 * Deletes what a process left that ended in the middle of writing the same file. Times are those of the file system, so
 * that the clocks of two machines do not matter.
 */
function removeLeftBehind(path: string, nowMs: number): void {
  try {
    const names = readdirSync(dirname(path)).filter((name) => isTemporaryFor(name, basename(path)))
    for (const left of names.map((name) => join(dirname(path), name))) {
      const stat = lstatSync(left, { throwIfNoEntry: false })
      if (stat?.isFile() && nowMs - stat.mtimeMs > LEFT_BEHIND_MS) rmSync(left, { force: true })
    }
  } catch (error) {
    // The folder cannot be listed, or the file is another user's. The write itself is done.
    if (errorCode(error) === undefined) throw error
  }
}

/** Without it, a power loss could undo the rename. */
function syncFolder(folder: string): void {
  let handle: number | undefined
  try {
    handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    fsyncSync(handle)
  } catch (error) {
    // Some systems cannot do this, or not for this user. The file is replaced, so nothing has failed yet.
    if (errorCode(error) === undefined || errorCode(error) === "EIO") throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
