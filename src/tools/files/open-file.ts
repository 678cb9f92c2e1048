// Turns a path from a model into an open file: inside the allowed folders, by real path, and only if the caller may
// read it. A forbidden file and a missing one give the same answer.
import { closeSync } from "node:fs"
import { basename, dirname, isAbsolute, join, parse, resolve } from "node:path"
import { nearest } from "../../base/nearest.ts"
import { shownFrom } from "../../files/inside.ts"
import { namesIn } from "../../files/names-in.ts"
import { existingPathOf, fromHome } from "../../files/real-path.ts"
import { isStillAt, type Opened, openSafely, type SafeFile } from "../../files/safe-file.ts"
import { type FileAccess, ToolFailure } from "../host.ts"

export type OpenFile = SafeFile

/** The real path of a file or folder that the caller may read. Throws `ToolFailure` if there is none. */
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
  const opened = openSafely(path, { roots: files.roots, followsLinks: false })
  try {
    // Check again now that it is open: the file may have been swapped since the path was checked.
    if (!files.mayRead(path)) throw noSuch(files, path)
    if (opened.kind !== "opened") throw notOpened(files, path, opened)
    if (!isStillAt(opened.value.handle, path)) throw noSuch(files, path)
    return opened.value
  } catch (error) {
    if (opened.kind === "opened") closeSync(opened.value.handle)
    throw error
  }
}

function notOpened(
  files: FileAccess,
  path: string,
  why: Exclude<Opened<OpenFile>, { kind: "opened" }>,
): ToolFailure {
  const name = shownPath(files, path)
  if (why.kind === "absent") return noSuch(files, path)
  if (why.kind === "unavailable") return new ToolFailure(`${name} cannot be read (${why.reason}).`)
  if (why.refused.why === "foreign")
    return new ToolFailure(
      `${name} is not read: it belongs to another user and is in a folder that anyone can write to.`,
    )
  // It was not a link a moment ago.
  if (why.refused.why !== "not-a-file") return noSuch(files, path)
  return new ToolFailure(`${name} is ${why.refused.isFolder ? "a folder" : "not a regular file"}.`)
}

/** Relative to the working directory; the full path if it is elsewhere. */
export function shownPath({ directory }: FileAccess, path: string): string {
  return shownName(shownFrom(path, directory) || ".")
}

/** A name that cannot look like more than one line. */
export function shownName(name: string): string {
  const short = name.length > 500 ? `${name.slice(0, 500)}...` : name
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(short) ? JSON.stringify(short) : short
}

function noSuch(files: FileAccess, given: string): ToolFailure {
  const near = nearNames(files, given)
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`
  return new ToolFailure(
    `No such file or folder: ${isAbsolute(given) ? shownPath(files, given) : shownName(given)}.${hint}`,
  )
}

/** Real paths of existing matches: in the working directory, then in the workspace. */
function candidates(files: FileAccess, given: string): readonly string[] {
  return places(files, given)
    .map(existingPathOf)
    .filter((path) => path !== undefined)
}

function places({ directory, workspace, home }: FileAccess, given: string): readonly string[] {
  const path = fromHome(given, home)
  return [...new Set([resolve(directory, path), resolve(workspace, path)])]
}

/** Names in the same folder that the caller may read. */
function nearNames(files: FileAccess, given: string): readonly string[] {
  const [place = ""] = places(files, given)
  const folder = existingPathOf(dirname(place))
  if (folder === undefined || !files.mayRead(folder)) return []
  return nearest(basename(place), namesIn(folder), (name) => parse(name).name)
    .filter((name) => {
      const real = existingPathOf(join(folder, name))
      return real !== undefined && files.mayRead(real)
    })
    .slice(0, 3)
    .map((name) => shownPath(files, join(folder, name)))
}
