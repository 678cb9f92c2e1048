// Real paths: links resolved, in the letter case that the disk has. Every permission check uses these, never the path
// as written.
import { lstatSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { errorCode } from "../base/system-error.ts"

/** The real path. If it does not exist yet: the real path of its nearest existing folder, plus the rest. */
export function realPathOf(path: string): string | undefined {
  const missing: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const real = existingPathOf(at)
    if (real !== undefined) return join(real, ...missing)
    // Writing to a broken link would create the file that it points to.
    if (at === dirname(at) || isThere(at)) return undefined
    missing.unshift(basename(at))
  }
}

/** Returns undefined if the path does not exist or cannot be read. */
export function existingPathOf(path: string): string | undefined {
  try {
    // The native version also returns the true letter case on case-insensitive disks.
    return realpathSync.native(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

/** Expands a leading `~` to the home folder. */
export function fromHome(path: string, home: string | undefined): string {
  return home !== undefined && /^~(?:[/\\]|$)/.test(path) ? join(home, path.slice(1)) : path
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    // A path that cannot be read counts as existing. A name below a regular file (ENOTDIR) does not.
    return errorCode(error) !== "ENOTDIR"
  }
}
