// Hard links: finds the other names of a file by device and inode, within the given folders. The folders are scanned
// once, when the first file with several names comes up.
import { type BigIntStats, lstatSync, readdirSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { identityOf } from "../identity.ts"
import { isInside } from "../inside.ts"

export interface HardLinks {
  /** All names of the file, including `path`; `too-many` if the folders have too many entries to scan. */
  namesOf(path: string, stat: BigIntStats): readonly string[] | "too-many"
}

/** Above this limit the other names of a file count as unknown. */
const MOST_ENTRIES = 20_000
/** Package managers hard-link thousands of files from a store, and git's objects are packed data. */
function isSkipped(name: string, folder: string): boolean {
  return name === "node_modules" || (name === "objects" && folder === ".git")
}

export function hardLinksIn(folders: readonly string[]): HardLinks {
  let found: Names | "too-many" | undefined
  return {
    namesOf(path, stat) {
      found ??= lookThrough(folders)
      if (found !== "too-many" && isBehind(found, path, stat, folders)) found = lookThrough(folders)
      if (found === "too-many") return found
      return [...new Set([path, ...(found.get(identityOf(stat))?.paths ?? [])])]
    },
  }
}

/** By device and inode: how many names the file had, and the names found. */
type Names = Map<string, { readonly links: bigint; readonly paths: string[] }>

/** Whether names were added or removed since the scan. */
function isBehind(names: Names, path: string, stat: BigIntStats, folders: readonly string[]): boolean {
  const known = names.get(identityOf(stat))
  if (known !== undefined) return known.links !== stat.nlink
  return folders.some(
    (folder) =>
      isInside(path, folder) &&
      !relative(folder, path)
        .split(sep)
        .some((name, at, names) => isSkipped(name, names[at - 1] ?? "")),
  )
}

function lookThrough(folders: readonly string[]): Names | "too-many" {
  const names: Names = new Map()
  const entered = new Set<string>()
  const waiting = [...folders]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (entered.has(path)) continue
    entered.add(path)
    if (entered.size > MOST_ENTRIES) return "too-many"
    const stat = statOf(path)
    if (stat?.isDirectory()) for (const name of namesIn(path)) waiting.push(join(path, name))
    if (!stat?.isFile() || stat.nlink === 1n) continue
    const known = names.get(identityOf(stat))
    if (known === undefined) names.set(identityOf(stat), { links: stat.nlink, paths: [path] })
    else known.paths.push(path)
  }
  return names
}

/** Does not follow links. Returns undefined if there is no entry or it cannot be read. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !isSkipped(name, basename(folder)))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
