// The Markdown files below a folder, each real folder once, so that links that lead in a circle end. Bounded in depth and
// number.
import { type Dirent, readdirSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { byCodePoint } from "../base/order.ts"
import { errorCode } from "../base/system-error.ts"
import { isInside } from "./inside.ts"
import { existingPathOf } from "./real-path.ts"

export interface MarkdownOptions {
  /** Links are followed into these real folders; none is, if absent. */
  readonly roots?: readonly string[]
  /** Whether names with a dot in front are left out. */
  readonly skipsHidden?: boolean
  /** Folders that are left out, as paths. */
  readonly without?: ReadonlySet<string>
}

export interface MarkdownFiles {
  /** Below the folder, with `/`, in code-point order. Empty for the folder itself, if it leads out. */
  readonly paths: readonly string[]
  /** Links that were not followed, likewise. */
  readonly links: readonly string[]
  /** Real paths of the folders that were looked through. */
  readonly folders: readonly string[]
}

const MOST_DEEP = 16
const MOST_ENTRIES = 50_000

export function markdownFiles(folder: string, options: MarkdownOptions = {}): MarkdownFiles {
  const found: Found = { paths: [], links: [], entered: new Set(), entries: 0 }
  const real = existingPathOf(folder)
  const { roots } = options
  // Somebody's whole home may stand behind it. It is read as a file, and reading it says why it was left out.
  if (roots !== undefined && real !== undefined && !roots.some((root) => isInside(real, root)))
    return { paths: [""], links: [], folders: [] }
  // Without links, a folder that is one itself has nothing in it either.
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
  // What is neither is read where links are, and reading it says why it was left out.
  if (!entry.isSymbolicLink()) return entry.isFile() || roots !== undefined ? "file" : "other"
  const real = existingPathOf(path)
  if (roots === undefined) return "link"
  // A link that leads nowhere, or out, is read as a file, and reading it says why it was left out.
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

/** Such a path below a folder, as the system writes it. */
export function pathBelow(folder: string, way: string): string {
  return join(folder, way.split("/").join(sep))
}
