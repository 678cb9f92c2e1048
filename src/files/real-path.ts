// Real paths: links resolved, in the letter case that the disk has. Every permission check uses these, never the path
// as written. This is the only file that resolves links.
import { lstatSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { errorCode } from "../base/system-error.ts"

/** Throws the system's error if the path does not exist or cannot be read. */
export function requireRealPath(path: string): string {
  // The native version also returns the true letter case on case-insensitive disks.
  return realpathSync.native(path)
}

/** Returns undefined if the path does not exist or cannot be read. */
export function existingPathOf(path: string): string | undefined {
  // Most questions are about files that need not exist, and an error takes several times as long as looking first.
  return isThere(path) ? foundPathOf(path) : undefined
}

/** `existingPathOf` something that has just been found, so it is not looked for again. */
export function foundPathOf(path: string): string | undefined {
  try {
    return requireRealPath(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

/**
 * For comparing places that need not exist: the real path of its nearest existing folder, plus the rest. To write there,
 * ask `writeTarget`.
 */
export function realPath(path: string): string {
  const real = existingPathOf(path)
  if (real !== undefined) return real
  return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
}

/**
 * The real path of the file that a write would create or replace. Returns undefined for a broken link, because a write
 * would create the file that it points to.
 */
export function writeTarget(path: string): string | undefined {
  const missing: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const real = existingPathOf(at)
    if (real !== undefined) return join(real, ...missing)
    if (at === dirname(at) || isThere(at)) return undefined
    missing.unshift(basename(at))
  }
}

/** Expands a leading `~` to the home folder. */
export function fromHome(path: string, home: string | undefined): string {
  return home !== undefined && /^~(?:[/\\]|$)/.test(path) ? join(home, path.slice(1)) : path
}

/** Whether anything has this name, a broken link included. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    // A path that cannot be read counts as existing. A name below a regular file (ENOTDIR) does not.
    return errorCode(error) !== "ENOTDIR"
  }
}
