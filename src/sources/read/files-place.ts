// What `readFiles` is asked to read: a folder, one file or a glob, as a path or as a `file:` URL. Resolves it to a real
// path, or throws an error with the path that it looked at. Reads no file.
import { statSync } from "node:fs"
import { basename, isAbsolute, posix, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { IncipitError } from "../../base/error.ts"
import { errorCode, systemReason } from "../../base/system-error.ts"
import { globOf } from "../../base/text/glob.ts"
import { existingPathOf, requireRealPath } from "../../files/real-path.ts"

export interface FilesPlace {
  readonly kind: "file" | "folder" | "glob"
  /** As the caller wrote it. */
  readonly written: string
  /** The real path of the file, or of the folder to look in. */
  readonly path: string
  /** The path that people and models see for a file, given its path below the folder. */
  readonly shown: (way: string) => string
  /** Whether to read the file at a path below the folder. */
  readonly accepts: (way: string) => boolean
  /** Whether to pass over files and folders of this name. */
  readonly skips: (name: string) => boolean
  /** How many levels of folders a glob can reach. */
  readonly depth?: number
}

const HAS_WILDCARD = /[*?[\]{}]/

export function filesPlace(place: string | URL): FilesPlace {
  const written = writtenPath(place)
  // A folder such as `rules[1]` is not a glob.
  if (existingPathOf(written) !== undefined || !HAS_WILDCARD.test(written)) return namedPlace(written)
  return globPlace(written)
}

/** With forward slashes. */
function writtenPath(place: string | URL): string {
  if (typeof place === "string" && !place.startsWith("file:")) {
    if (place.trim() === "" || place.includes("\0"))
      throw badFiles(place, place.includes("\0") ? "has a NUL character" : "is empty")
    return place.split(sep).join("/")
  }
  if (typeof place !== "string" && !(place instanceof URL))
    throw badFiles(place, "is neither a path nor a URL")
  const { search, hash, href } = new URL(place)
  // `?` and `#` would silently cut the path short.
  if (search !== "" || hash !== "") throw badFiles(href, "has a ? or a #; write %3F or %23 instead")
  try {
    return fileURLToPath(href).split(sep).join("/")
  } catch (error) {
    throw badFiles(href, "is not a file: URL", error)
  }
}

function namedPlace(written: string): FilesPlace {
  const { path, isFolder } = look(written)
  const isMarkdown = (way: string) => /\.md$/i.test(way)
  const name = isAbsolute(written) ? basename(written) : posix.normalize(written)
  return {
    ...{ kind: isFolder ? "folder" : "file", written, path },
    shown: isFolder ? shownIn(written) : () => name,
    ...{ accepts: isMarkdown, skips: isPassedOver("") },
  }
}

/** The folders before the first wildcard are where to look; the rest is matched. */
function globPlace(written: string): FilesPlace {
  const names = written.split("/")
  const first = names.findIndex((name) => HAS_WILDCARD.test(name))
  const folder = `${names.slice(0, first).join("/")}/`
  const rest = names.slice(first).filter((name) => name !== "" && name !== ".")
  if (rest.includes("..")) throw badFiles(written, 'has ".." after a wildcard, so it matches nothing')
  const pattern = rest.join("/")
  const accepts = globOf(pattern)
  if (accepts === undefined) throw badFiles(written, "is too complex a glob")
  const base = first === 0 ? "." : folder
  const { path, isFolder } = look(base, written)
  if (!isFolder) throw unreadable({ written, path, why: "it is not a folder" })
  return {
    ...{ kind: "glob", written, path, shown: shownIn(base), accepts, skips: isPassedOver(pattern) },
    // `**` reaches any depth, any other pattern as many levels as it has slashes.
    ...(!pattern.includes("**") && { depth: pattern.split("/").length - 1 }),
  }
}

/** Hidden files and packages are read only if the glob names such a name, as in `.github/*.md`. */
function isPassedOver(pattern: string): (name: string) => boolean {
  const takesHidden = /(?:^|[/{,])\./.test(pattern)
  const takesPackages = pattern.includes("node_modules")
  return (name) => (name.startsWith(".") ? !takesHidden : name === "node_modules" && !takesPackages)
}

/**
 * A relative path is shown as written. Of an absolute one, only the folder's own name is shown: a prompt has the same
 * bytes on every machine, and doesn't say where a program is installed.
 */
function shownIn(folder: string): (way: string) => string {
  const start = isAbsolute(folder) ? basename(resolve(folder)) : folder
  return (way) => posix.join(start, way)
}

function look(written: string, asked = written): { readonly path: string; readonly isFolder: boolean } {
  const absolute = resolve(written)
  try {
    const path = requireRealPath(absolute)
    return { path, isFolder: statSync(path).isDirectory() }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    throw unreadable({ written: asked, path: absolute, why: systemReason(error), cause: error })
  }
}

interface Unreadable {
  readonly written: string
  readonly path: string
  readonly why: string
  readonly cause?: unknown
}

function unreadable({ written, path, why, cause }: Unreadable): IncipitError {
  const looked = written === path ? "" : ` (looked for ${path})`
  return new IncipitError("unreadable-file", `cannot read ${written}: ${why}${looked}`, { cause })
}

function badFiles(place: unknown, problem: string, cause?: unknown): IncipitError {
  const shown = typeof place === "string" ? JSON.stringify(place) : String(place)
  return new IncipitError("bad-files", `cannot read files: ${shown} ${problem}`, { cause })
}
