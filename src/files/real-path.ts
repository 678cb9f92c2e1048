// Paths as they really are: without links, in the case that the disk has. Everything that is allowed or refused is
// decided on these, never on what somebody wrote.
import { lstatSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { errorCode } from "../base/system-error.ts"

/** The real path; of one that is not there yet, that of its nearest folder with the rest behind it. */
export function realPathOf(path: string): string | undefined {
  const missing: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const real = existingPathOf(at)
    if (real !== undefined) return join(real, ...missing)
    // A link that leads nowhere would be filled in wherever it points.
    if (at === dirname(at) || isThere(at)) return undefined
    missing.unshift(basename(at))
  }
}

/** Nothing if it is not there, or cannot be looked at. */
export function existingPathOf(path: string): string | undefined {
  try {
    // The native one also gives the true case where the disk does not tell cases apart.
    return realpathSync.native(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

/** A path that begins with `~`, from the home folder on. */
export function fromHome(path: string, home: string | undefined): string {
  return home !== undefined && /^~(?:[/\\]|$)/.test(path) ? join(home, path.slice(1)) : path
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    // Whatever cannot be looked at, such as a file taken for a folder, is in the way; a name below it is not.
    return errorCode(error) !== "ENOTDIR"
  }
}
