// Identifies files and folders. A path is not enough, because another file can take its place, and one file can have
// many paths. This is the only file that spells out devices and inodes.
import { type BigIntStats, statSync } from "node:fs"
import { errorCode } from "../base/system-error.ts"
import { existingPathOf } from "./real-path.ts"

/** Equal for all names of one file, and for no other file that exists at the same time. */
export function identityOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`
}

/** The same for what a path leads to, links followed. Returns undefined if there is nothing, or it cannot be read. */
export function identityAt(path: string): string | undefined {
  const stat = statAt(path)
  return stat && identityOf(stat)
}

/** Changes whenever the file does: its content, its mode, or the file itself. */
export function stampOf(stat: BigIntStats): string {
  return `${contentStamp(stat)}:${stat.ctimeNs}`
}

/** Changes whenever the file or its content does. A new mode, owner or name alone leaves it as it is. */
export function contentStamp(stat: BigIntStats): string {
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(":")
}

/** `stampOf` what a path leads to, links followed. Returns undefined if there is nothing, or it cannot be read. */
export function stampAt(path: string): string | undefined {
  const stat = statAt(path)
  return stat && stampOf(stat)
}

/**
 * A folder, known by real path, device, inode and birth time. An inode alone is not enough: ext4 gives the inode of a
 * deleted folder to the next one created, so after `rm -r agent && git clone … agent` path, device and inode are often
 * the same. Numbers are decimal digits: inodes and nanoseconds can be larger than a number holds exactly.
 */
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
  const stat = real === undefined ? undefined : statAt(real)
  if (real === undefined || stat?.isDirectory() !== true) return undefined
  const born = stat.birthtimeNs > 0n ? stat.birthtimeNs : 0n
  return { path: real, device: `${stat.dev}`, inode: `${stat.ino}`, born: `${born}` }
}

/** One string for the whole identity, equal only for the same folder at the same path. */
export function folderKey({ path, device, inode, born }: FolderIdentity): string {
  return `${device}:${inode}:${born}:${path}`
}

/** What a path leads to. Returns undefined if there is nothing, or it cannot be looked at. */
export function statAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
