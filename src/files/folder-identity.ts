// Identifies a folder by its real path, device, inode and birth time. A path alone is not enough, because another
// folder can replace it. Nor is an inode: ext4 reuses the inode of a deleted folder for the next one created, so after
// `rm -r agent && git clone … agent` the path, device and inode are often the same.
import { type BigIntStats, statSync } from "node:fs"
import { errorCode } from "../base/system-error.ts"
import { existingPathOf } from "./real-path.ts"

/** Numbers are decimal digits: inodes and nanoseconds can be larger than a number holds exactly. */
export interface FolderIdentity {
  /** With links resolved, in the letter case that the disk has. */
  readonly path: string
  readonly device: string
  readonly inode: string
  /** Nanoseconds since 1970; "0" where the file system does not record it. Moving the folder does not change it. */
  readonly born: string
}

/** Returns undefined if there is no folder at the path, or it cannot be read. */
export function folderIdentity(path: string): FolderIdentity | undefined {
  const real = existingPathOf(path)
  if (real === undefined) return undefined
  const stat = statOf(real)
  if (stat === undefined || !stat.isDirectory()) return undefined
  const born = stat.birthtimeNs > 0n ? stat.birthtimeNs : 0n
  return { path: real, device: `${stat.dev}`, inode: `${stat.ino}`, born: `${born}` }
}

/** One string for the whole identity, equal only for the same folder at the same path. */
export function folderKey({ path, device, inode, born }: FolderIdentity): string {
  return `${device}:${inode}:${born}:${path}`
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
