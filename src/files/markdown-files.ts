// Lists the Markdown files below a folder. Visits each real folder once, so that circular links end. Limits depth and
// number.
import { type Dirent, readdirSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { byCodePoint } from "../base/order.ts"
import { errorCode } from "../base/system-error.ts"
import { isInside } from "./inside.ts"
import { existingPathOf } from "./real-path.ts"

export interface MarkdownOptions {
  /** Follows links that lead into these real folders; if absent, follows none. */
  readonly roots?: readonly string[]
  /** Whether to skip names that start with a dot. */
  readonly skipsHidden?: boolean
  /** Paths of folders to skip. */
  readonly without?: ReadonlySet<string>
}

export interface MarkdownFiles {
  /**
   * Relative to the folder, with `/`, in code-point order. The empty string is the folder itself, if it is a link that
   * leads out.
   */
  readonly paths: readonly string[]
  /** Links that were not followed, in the same form. */
  readonly links: readonly string[]
  /** Real paths of the folders that were scanned. */
  readonly folders: readonly string[]
}

const MOST_DEEP = 16
const MOST_ENTRIES = 50_000

export function markdownFiles(folder: string, options: MarkdownOptions = {}): MarkdownFiles {
  const found: Found = { paths: [], links: [], entered: new Set(), entries: 0 }
  const real = existingPathOf(folder)
  const { roots } = options
  // The target could be a whole home folder, so it is listed as a file; reading it reports why it was left out.
  if (roots !== undefined && real !== undefined && !roots.some((root) => isInside(real, root)))
    return { paths: [""], links: [], folders: [] }
  // If links are not followed, a folder that is itself a link counts as empty.
  if (roots !== undefined || real === folder) enter(folder, "", 0, { options, found })
  return {
    paths: found.paths.sort(byCodePoint),
    links: found.links.sort(byCodePoint),
    folders: [...found.entered],
  }
}

interface Found {
  readonly paths: string[]
  readonly links: string[]
  /** Real paths. */
  readonly entered: Set<string>
  entries: number
}

interface Walk {
  readonly options: MarkdownOptions
  readonly found: Found
}

function enter(folder: string, way: string, depth: number, walk: Walk): void {
  const { options, found } = walk
  const real = existingPathOf(folder)
  if (real === undefined || depth > MOST_DEEP || found.entered.has(real)) return
  found.entered.add(real)
  for (const entry of entriesOf(folder)) {
    found.entries += 1
    if (found.entries > MOST_ENTRIES) return
    if (options.skipsHidden === true && entry.name.startsWith(".")) continue
    const path = join(folder, entry.name)
    const below = way === "" ? entry.name : `${way}/${entry.name}`
    const kind = kindOf(entry, path, options)
    if (kind === "folder" && options.without?.has(path) !== true) enter(path, below, depth + 1, walk)
    if (kind === "file" && entry.name.endsWith(".md")) found.paths.push(below)
    if (kind === "link") found.links.push(below)
  }
}

function kindOf(
  entry: Dirent,
  path: string,
  { roots }: MarkdownOptions,
): "file" | "folder" | "link" | "other" {
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

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => byCodePoint(a.name, b.name))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

/** Joins such a relative path to a folder, with the system's separator. */
export function pathBelow(folder: string, way: string): string {
  return join(folder, way.split("/").join(sep))
}
