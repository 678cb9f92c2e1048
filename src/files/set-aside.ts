// Renames something that must not have its name, in the same folder, so that nothing is lost and nothing is replaced.
import { chmodSync, linkSync, lstatSync, readlinkSync, renameSync, symlinkSync, unlinkSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { errorCode } from "../base/system-error.ts"
import { identityOf } from "./identity.ts"
import { existingPathOf, isThere } from "./real-path.ts"

const MOST_TRIES = 1_000

/** Returns the new path, or undefined if nothing is there any more or its folder was swapped for a link. */
export function setAside(path: string, ending: string): string | undefined {
  const folder = dirname(path)
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    if (existingPathOf(folder) !== folder || !isThere(path)) return undefined
    const aside = join(folder, `${basename(path)}${ending}${tries === 1 ? "" : `-${tries}`}`)
    if (!isThere(aside) && moved(path, aside)) return aside
  }
  return undefined
}

/** A file is linked first, which never replaces anything. A folder cannot replace a folder with something in it. */
function moved(path: string, aside: string): boolean {
  try {
    if (lstatSync(path).isDirectory()) renameSync(path, aside)
    else {
      linkSync(path, aside)
      unlinkSync(path)
    }
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

/** Gives a folder's owner, who has to be us, all rights to it. Returns whether that worked. */
export function grantOwner(folder: string): boolean {
  try {
    chmodSync(folder, (lstatSync(folder).mode & 0o7777) | 0o700)
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

/** What a name stands for itself, links not followed: equal while it is the same file, folder or link. */
export interface Entry {
  readonly identity: string
  /** Where it leads, if it is a link. */
  readonly target: string | undefined
}

/** Returns undefined if there is nothing of that name, or it cannot be looked at. */
export function entryAt(path: string): Entry | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) return undefined
    return { identity: identityOf(stat), target: stat.isSymbolicLink() ? readlinkSync(path) : undefined }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

/** Puts a link back that was removed or replaced. */
export function restoreLink(path: string, target: string): void {
  try {
    if (existingPathOf(dirname(path)) === dirname(path)) symlinkSync(target, path)
  } catch (error) {
    // Something else has the name again.
    if (errorCode(error) === undefined) throw error
  }
}
