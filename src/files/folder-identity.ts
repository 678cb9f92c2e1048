// Which folder this is: its real path with the device, inode and time of birth that the disk gives it. A path alone is
// not enough, because another folder can take its place. An inode is not either: ext4 gives that of a deleted folder to
// the next one that is made, so that `rm -r agent && git clone … agent` often has the same path, device and inode.
import { type BigIntStats, statSync } from "node:fs"
import { errorCode } from "../base/system-error.ts"
import { existingPathOf } from "./real-path.ts"

/** Numbers are decimal digits: inodes and nanoseconds can be larger than a number holds exactly. */
export interface FolderIdentity {
  /** Without links, in the case that the disk has. */
  readonly path: string
  readonly device: string
  readonly inode: string
  /** Nanoseconds since 1970; "0" where the disk does not keep it. It stays when a folder is moved. */
  readonly born: string
}

/** Returns undefined if there is no folder at the path, or it cannot be looked at. */
export function folderIdentity(path: string): FolderIdentity | undefined {
  const real = existingPathOf(path)
  if (real === undefined) return undefined
  const stat = statOf(real)
  if (stat === undefined || !stat.isDirectory()) return undefined
  const born = stat.birthtimeNs > 0n ? stat.birthtimeNs : 0n
  return { path: real, device: `${stat.dev}`, inode: `${stat.ino}`, born: `${born}` }
}

/** One string for all of it, equal only for the same folder at the same place. */
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
