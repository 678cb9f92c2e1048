// The only way to open a file that someone else may have put there. It must be a regular file inside the allowed
// folders and within the size limit. It is opened without blocking and checked on the handle, so it cannot be swapped
// in between.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  statSync,
} from "node:fs"
import { dirname } from "node:path"
import process from "node:process"
import { errorCode } from "../base/system-error.ts"
import { identityOf } from "./identity.ts"
import { isInside } from "./inside.ts"
import { existingPathOf, isThere, requireRealPath } from "./real-path.ts"

export interface OpenOptions {
  /** Real paths of the folders that may be read; if absent, any folder. */
  readonly roots?: readonly string[]
  /** Whether the path may contain links. If false, no parent folder may be a link either. */
  readonly followsLinks: boolean
  readonly mostBytes?: number
}

export interface SafeFile {
  readonly handle: number
  /** The real path. */
  readonly path: string
  readonly size: number
  /** The same for one file under any path. */
  readonly identity: string
}

/**
 * `link`: the path is a link, or goes through one, and links are not followed. `foreign`: the file belongs to another
 * user and is in a folder that anyone can write to.
 */
export type Refused =
  | { readonly why: "outside"; readonly target: string }
  | { readonly why: "link" }
  | { readonly why: "not-a-file"; readonly isFolder: boolean }
  | { readonly why: "too-large"; readonly bytes: number; readonly limit: number }
  | { readonly why: "foreign" }

export type Opened<T> =
  | { readonly kind: "opened"; readonly value: T }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly refused: Refused }
  | { readonly kind: "unavailable"; readonly reason: string }

/** Opens the file, calls `use` and closes the file. Errors from `use` pass through. */
export function withSafeFile<T>(path: string, options: OpenOptions, use: (file: SafeFile) => T): Opened<T> {
  const opened = openSafely(path, options)
  if (opened.kind !== "opened") return opened
  try {
    return { kind: "opened", value: use(opened.value) }
  } finally {
    closeSync(opened.value.handle)
  }
}

/** A try fails only if the file was replaced in the meantime, so only a constant stream of replacements uses them up. */
const MOST_TRIES = 100

/** The caller closes the handle. */
export function openSafely(path: string, options: OpenOptions): Opened<SafeFile> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const opened = openNow(path, options)
    if (opened !== "replaced") return opened
  }
  return { kind: "unavailable", reason: "EBUSY" }
}

/** `replaced`: what was opened was removed before it was checked, as by an editor that saves. */
function openNow(path: string, options: OpenOptions): Opened<SafeFile> | "replaced" {
  let handle: number | undefined
  try {
    // Most files that are asked for are not there, and an error takes several times as long as looking first.
    if (options.followsLinks && !isThere(path)) return { kind: "absent" }
    const real = options.followsLinks ? requireRealPath(path) : path
    if (options.roots?.some((root) => isInside(real, root)) === false)
      return { kind: "refused", refused: { why: "outside", target: real } }
    // Without O_NONBLOCK, opening a pipe would wait forever for a writer.
    handle = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const checked = check(handle, real, options)
    if (checked !== "replaced" && checked.kind === "opened") handle = undefined
    return checked
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" }
    if (code === "ELOOP" && !options.followsLinks) return { kind: "refused", refused: { why: "link" } }
    return { kind: "unavailable", reason: code }
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** Reads at most `most` bytes from the beginning of an open file, even if it is growing. */
export function readBytes({ handle, size }: Pick<SafeFile, "handle" | "size">, most = size): Buffer {
  const bytes = Buffer.alloc(Math.min(size, most))
  let at = 0
  while (at < bytes.length) {
    const read = readSync(handle, bytes, at, bytes.length - at, at)
    if (read === 0) break
    at += read
  }
  return bytes.subarray(0, at)
}

/**
 * Whether the open file is the one at the path, with no link on the way. Linux can tell from the handle. Elsewhere,
 * path and file are compared twice: an attacker who swaps a folder for a link has to win four races in a row.
 */
export function isStillAt(handle: number, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${handle}`) === path
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
  const opened = identityOf(fstatSync(handle, { bigint: true }))
  const isSame = () =>
    existingPathOf(path) === path && identityOf(lstatSync(path, { bigint: true })) === opened
  return isSame() && isSame()
}

function check(
  handle: number,
  path: string,
  { mostBytes, followsLinks }: OpenOptions,
): Opened<SafeFile> | "replaced" {
  const isInPlace = isStillAt(handle, path)
  const stat = fstatSync(handle, { bigint: true })
  const refuse = (refused: Refused): Opened<SafeFile> => ({ kind: "refused", refused })
  // It has no name any more.
  if (!isInPlace && stat.nlink === 0n) return "replaced"
  if (!isInPlace) return followsLinks ? { kind: "unavailable", reason: "ELOOP" } : refuse({ why: "link" })
  if (!stat.isFile()) return refuse({ why: "not-a-file", isFolder: stat.isDirectory() })
  if (isForeign(Number(stat.uid), path)) return refuse({ why: "foreign" })
  const size = Number(stat.size)
  if (mostBytes !== undefined && size > mostBytes)
    return refuse({ why: "too-large", bytes: size, limit: mostBytes })
  return { kind: "opened", value: { handle, path, size, identity: identityOf(stat) } }
}

const WORLD_WRITABLE = 0o002

/** Files owned by the system are trusted anywhere. Windows has no such owners. */
function isForeign(owner: number, path: string): boolean {
  const user = process.geteuid?.()
  if (user === undefined || owner === user || owner === 0) return false
  return (statSync(dirname(path)).mode & WORLD_WRITABLE) !== 0
}
