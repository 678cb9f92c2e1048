// Lists the files below a folder. Visits each real folder once, so that circular links end. Limits depth and number,
// and reports what it did not look into.
import { type Dirent, readdirSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { byCodePoint } from "../base/order.ts"
import { errorCode } from "../base/system-error.ts"
import { isInside } from "./inside.ts"
import { existingPathOf, foundPathOf } from "./real-path.ts"

export interface WalkOptions {
  /** Follows links that lead into these real folders; if absent, follows none. */
  readonly roots?: readonly string[] | undefined
  /** Whether to pass over a file or folder of this name. */
  readonly skips?: (name: string) => boolean
  /** Paths of folders to skip. */
  readonly without?: ReadonlySet<string> | undefined
  /** How many levels of folders to enter below the first; 0 for none. Default: all, up to the limit. */
  readonly depth?: number
  /** How many files and folders to look at. */
  readonly mostEntries?: number
}

/** Paths are relative to the folder, with `/`, in code-point order. */
export interface FilesBelow {
  /** The empty string is the folder itself, if it is a link that leads out. */
  readonly paths: readonly string[]
  /** Links that were not followed. */
  readonly links: readonly string[]
  /** Folders that could not be read, with the system's code, such as EACCES. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[]
  /** Real paths of the folders that were scanned. */
  readonly folders: readonly string[]
  /** Whether a limit ended the walk early: there may be more. */
  readonly isCut: boolean
}

const MOST_DEEP = 16
const MOST_ENTRIES = 50_000

export function filesBelow(folder: string, options: WalkOptions = {}): FilesBelow {
  const found: Found = {
    ...{ paths: [], links: [], unreadable: [], entered: new Set(), entries: 0, isCut: false },
  }
  const real = existingPathOf(folder)
  const { roots } = options
  // The target could be a whole home folder, so it is listed as a file; reading it reports why it was left out.
  const isOut = roots !== undefined && real !== undefined && !roots.some((root) => isInside(real, root))
  if (isOut) found.paths.push("")
  // If links are not followed, a folder that is itself a link counts as empty.
  else if (real !== undefined && (roots !== undefined || real === folder))
    enter({ folder, real, way: "", depth: 0 }, { options, found })
  return {
    paths: found.paths.sort(byCodePoint),
    links: found.links.sort(byCodePoint),
    unreadable: found.unreadable.sort((a, b) => byCodePoint(a.path, b.path)),
    folders: [...found.entered],
    isCut: found.isCut,
  }
}

/** Joins such a relative path to a folder, with the system's separator. */
export function pathBelow(folder: string, way: string): string {
  return join(folder, way.split("/").join(sep))
}

interface Found {
  readonly paths: string[]
  readonly links: string[]
  readonly unreadable: { readonly path: string; readonly reason: string }[]
  /** Real paths. */
  readonly entered: Set<string>
  entries: number
  isCut: boolean
}

interface Walk {
  readonly options: WalkOptions
  readonly found: Found
}

interface Folder {
  readonly folder: string
  readonly real: string | undefined
  /** Relative to the first folder. */
  readonly way: string
  readonly depth: number
}

function enter({ folder, real, way, depth }: Folder, walk: Walk): void {
  const { options, found } = walk
  if (real === undefined || found.entered.has(real) || (options.depth ?? depth) < depth) return
  if (depth > MOST_DEEP) {
    found.isCut = true
    return
  }
  found.entered.add(real)
  for (const entry of entriesOf(folder, way, found)) {
    found.entries += 1
    if (found.entries > (options.mostEntries ?? MOST_ENTRIES)) {
      found.isCut = true
      return
    }
    if (options.skips?.(entry.name) === true) continue
    const path = join(folder, entry.name)
    const below = way === "" ? entry.name : `${way}/${entry.name}`
    const kind = kindOf(entry, path, options)
    if (kind === "folder" && options.without?.has(path) !== true)
      enter({ folder: path, real: foundPathOf(path), way: below, depth: depth + 1 }, walk)
    if (kind === "file") found.paths.push(below)
    if (kind === "link") found.links.push(below)
  }
}

function kindOf(entry: Dirent, path: string, { roots }: WalkOptions): "file" | "folder" | "link" | "other" {
  if (entry.isDirectory()) return "folder"
  // Where links are followed, list special files as files, too: reading one reports why it was left out.
  if (!entry.isSymbolicLink()) return entry.isFile() || roots !== undefined ? "file" : "other"
  const real = existingPathOf(path)
  if (roots === undefined) return "link"
  // List a link that is broken or leads out as a file: reading it reports why it was left out.
  const isFolder = real !== undefined && statSync(real).isDirectory()
  if (!isFolder) return "file"
  return roots.some((root) => isInside(real, root)) ? "folder" : "link"
}

function entriesOf(folder: string, way: string, { unreadable }: Found): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => byCodePoint(a.name, b.name))
  } catch (error) {
    const reason = errorCode(error)
    if (reason === undefined) throw error
    unreadable.push({ path: way, reason })
    return []
  }
}
