// What the files of a workspace say themselves about who may see them: their frontmatter, and for everything in the
// folder of a skill that skill's. Read at most once for each state of a file, and only its beginning.
import type { BigIntStats } from "node:fs"
import { dirname, join } from "node:path"
import { isInside } from "../inside.ts"
import { readBytes, withSafeFile } from "../safe-file.ts"
import { type Requirement, strictest } from "./requirement.ts"
import { statOf } from "./twins.ts"

/** What was read of each file, by path, with the state of the file that it was read from. */
export type DeclaredCache = Map<string, { readonly state: string; readonly needs: Requirement | undefined }>

export interface DeclaredOptions {
  /** Real paths of the folders whose files may say who sees them. A cloned repository's may not. */
  readonly own: readonly string[]
  /** What the beginning of a file says; `isWhole` is false if the file goes on. */
  readonly parse: (text: string, path: string, isWhole: boolean) => Requirement | undefined
  /** Whether a file by this name is read at all. */
  readonly isRead: (path: string) => boolean
  readonly cache: DeclaredCache
}

export interface Declared {
  /** Of a file or folder at a real path. */
  of(path: string, stat: BigIntStats | undefined): Requirement | undefined
}

const SKILL_FILE = "SKILL.md"
/** As much as a frontmatter may take, in characters of up to four bytes. */
const MOST_BYTES = 64 * 1024
const MOST_CACHED = 50_000

export function declaredBy(options: DeclaredOptions): Declared {
  const skills = new Map<string, Requirement | undefined>()
  const ofFile = (path: string, stat: BigIntStats | undefined): Requirement | undefined => {
    if (!stat?.isFile()) return undefined
    // By another name a file may have any ending.
    return options.isRead(path) || stat.nlink > 1n ? remembered(path, stat, options) : undefined
  }
  const ofSkill = (folder: string): Requirement | undefined => {
    if (skills.has(folder)) return skills.get(folder)
    const root = options.own.find((own) => isInside(folder, own))
    if (root === undefined || folder === root) return undefined
    const needs = strictest([skillIn(folder, options), ofSkill(dirname(folder))])
    skills.set(folder, needs)
    return needs
  }
  return {
    of(path, stat) {
      if (!options.own.some((own) => isInside(path, own))) return undefined
      return strictest([ofFile(path, stat), ofSkill(stat?.isDirectory() ? path : dirname(path))])
    },
  }
}

/** A SKILL.md that is a link closes its folder: what it leads to may be nothing for whoever looks into the folder. */
function skillIn(folder: string, options: DeclaredOptions): Requirement | undefined {
  const path = join(folder, SKILL_FILE)
  const stat = statOf(path)
  if (stat === undefined) return undefined
  return stat.isFile() ? remembered(path, stat, options) : CLOSED
}

function remembered(path: string, stat: BigIntStats, options: DeclaredOptions): Requirement | undefined {
  const { cache } = options
  const text = [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(":")
  const state = `${text}:${stat.ctimeNs}`
  const known = cache.get(path)
  if (known?.state === state) return known.needs
  const needs = read(path, options)
  // A file that cannot be read for the moment says what it said.
  if (needs === "unreadable") return known?.state.startsWith(`${text}:`) === true ? known.needs : CLOSED
  if (cache.size >= MOST_CACHED) cache.clear()
  cache.set(path, { state, needs })
  return needs
}

/** What it wanted to restrict is not known. */
const CLOSED: Requirement = { trust: "full" }

function read(path: string, { own, parse }: DeclaredOptions): Requirement | "unreadable" | undefined {
  const found = withSafeFile(path, { roots: own, followsLinks: false }, (file) => {
    const bytes = readBytes(file, MOST_BYTES)
    const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n")
    return parse(text, path, bytes.length === file.size)
  })
  return found.kind === "opened" ? found.value : "unreadable"
}
