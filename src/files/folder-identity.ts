// Which folder this is: its real path with the device and inode that the disk gives it. A path alone is not enough,
// because another folder can take its place; device and inode alone are not, because a disk gives them out again.
import { statSync } from "node:fs"
import { errorCode } from "../core/system-error.ts"
import { existingPathOf } from "./real-path.ts"

export interface FolderIdentity {
  /** Without links, in the case that the disk has. */
  readonly path: string
  /** Decimal digits: inodes can be larger than a number holds exactly. */
  readonly device: string
  readonly inode: string
}

/** Returns undefined if there is no folder at the path, or it cannot be looked at. */
export function folderIdentity(path: string): FolderIdentity | undefined {
  const real = existingPathOf(path)
  if (real === undefined) return undefined
  try {
    const stat = statSync(real, { bigint: true })
    if (!stat.isDirectory()) return undefined
    return { path: real, device: stat.dev.toString(), inode: stat.ino.toString() }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

/** One string for all three, equal only for the same folder at the same place. */
export function folderKey({ path, device, inode }: FolderIdentity): string {
  return `${device}:${inode}:${path}`
}
