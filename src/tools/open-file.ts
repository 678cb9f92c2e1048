// From a path as a model writes it to an opened file: inside the folders that may be used, as the file really is, and
// only what the asker may read. What may not be read and what is not there are one and the same answer.

import { closeSync, constants, fstatSync, openSync, readdirSync } from "node:fs"
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path"
import { byCodePoint } from "../core/order.ts"
import { errorCode } from "../core/system-error.ts"
import { isInside } from "../files/inside.ts"
import { existingPathOf, fromHome } from "../files/real-path.ts"
import { standsAt } from "../memory/store.ts"
import { type FileAccess, ToolFailure } from "./host.ts"
import { mostAlike } from "./similar.ts"

export interface OpenFile {
  /** The real path. */
  readonly path: string
  readonly handle: number
  readonly size: number
}

/** The real path of a file or folder that the asker may read. Throws `ToolFailure` where there is none. */
export function readablePath(files: FileAccess, given: string): string {
  const path = candidates(files, given).find((one) => files.mayRead(one))
  if (path === undefined) throw noSuch(files, given)
  return path
}

/** Opens a file, uses it and closes it. */
export async function withFile<T>(
  files: FileAccess,
  given: string,
  use: (file: OpenFile) => T | Promise<T>,
): Promise<T> {
  return useFile(files, readablePath(files, given), use)
}

/** The same for a path that is known to be real. */
export async function useFile<T>(
  files: FileAccess,
  path: string,
  use: (file: OpenFile) => T | Promise<T>,
): Promise<T> {
  const file = openReal(files, path)
  try {
    return await use(file)
  } finally {
    closeSync(file.handle)
  }
}

function openReal(files: FileAccess, path: string): OpenFile {
  let handle: number | undefined
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer for ever.
    handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(handle)
    // Asked again in between: what stands there may have been swapped since the path was looked at.
    if (!standsAt(handle, path) || !files.mayRead(path) || !standsAt(handle, path)) throw noSuch(files, path)
    if (stat.isDirectory()) throw new ToolFailure(`${shownPath(files, path)} is a folder.`)
    if (!stat.isFile()) throw new ToolFailure(`${shownPath(files, path)} is not a regular file.`)
    return { path, handle, size: stat.size }
  } catch (error) {
    if (handle !== undefined) closeSync(handle)
    const code = errorCode(error)
    if (code === undefined) throw error
    // A link that was not one a moment ago.
    throw code === "ENOENT" || code === "ELOOP"
      ? noSuch(files, path)
      : new ToolFailure(`${shownPath(files, path)} can not be read (${code}).`)
  }
}

/** From the working directory on, or as it is said from elsewhere. */
export function shownPath({ directory }: FileAccess, path: string): string {
  const way = isInside(path, directory) ? relative(directory, path) || "." : path
  return shownName(way.split(sep).join("/"))
}

/** A name that can not pose as more than one line. */
export function shownName(name: string): string {
  const short = name.length > 500 ? `${name.slice(0, 500)}...` : name
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(short) ? JSON.stringify(short) : short
}

function noSuch(files: FileAccess, given: string): ToolFailure {
  const near = nearNames(files, given)
  const hint = near.length === 0 ? "" : ` There is ${near.join(", ")}.`
  return new ToolFailure(
    `No such file or folder: ${isAbsolute(given) ? shownPath(files, given) : shownName(given)}.${hint}`,
  )
}

/** Real paths of what is there by that name: from the working directory, then from the workspace. */
function candidates(files: FileAccess, given: string): readonly string[] {
  return places(files, given)
    .map(existingPathOf)
    .filter((path) => path !== undefined)
}

function places({ directory, workspace, home }: FileAccess, given: string): readonly string[] {
  const path = fromHome(given, home)
  return [...new Set([resolve(directory, path), resolve(workspace, path)])]
}

/** Names of the same folder that the asker may read. */
function nearNames(files: FileAccess, given: string): readonly string[] {
  const [place = ""] = places(files, given)
  const folder = existingPathOf(dirname(place))
  if (folder === undefined || !files.mayRead(folder)) return []
  return mostAlike(basename(place), namesIn(folder), (name) => parse(name).name)
    .filter((name) => {
      const real = existingPathOf(join(folder, name))
      return real !== undefined && files.mayRead(real)
    })
    .slice(0, 3)
    .map((name) => shownPath(files, join(folder, name)))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
