// Hard links: the other names of a file, by device and inode, in the folders that are looked through. Looked up once,
// when the first file with several names is asked about.
import { type BigIntStats, lstatSync, readdirSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../inside.ts"

export interface Twins {
  /** All names of the file, its own among them; `too-many` if the folders hold too much to be looked through. */
  namesOf(path: string, stat: BigIntStats): readonly string[] | "too-many"
}

/** With more, nobody can say which other names a file has. */
const MOST_ENTRIES = 20_000
/** Packages are linked from a store by the thousand, and git's objects are packed data. */
function isSkipped(name: string, folder: string): boolean {
  return name === "node_modules" || (name === "objects" && folder === ".git")
}

export function twinsIn(folders: readonly string[]): Twins {
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

/** By device and inode: how many names the file had, and those that were found. */
type Names = Map<string, { readonly links: bigint; readonly paths: string[] }>

/** Whether names have come or gone since the folders were looked through. */
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

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
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

/** Without following a link; `undefined` if there is nothing, or nobody can say. */
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
