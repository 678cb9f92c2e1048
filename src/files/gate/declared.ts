// Reads what files in a workspace declare about who may see them: their own frontmatter, plus the frontmatter of
// SKILL.md for every file in a skill's folder. Reads only the beginning of a file, and at most once per state of that
// file.
import type { BigIntStats } from "node:fs"
import { dirname, join } from "node:path"
import { contentStamp, stampOf } from "../identity.ts"
import { isInside } from "../inside.ts"
import { readBytes, withSafeFile } from "../safe-file.ts"
import { statOf } from "./hard-links.ts"
import { type Requirement, strictest } from "./requirement.ts"

/** What each file declares, by path, with the state of the file at the time it was read. */
export type DeclaredCache = Map<string, { readonly state: string; readonly needs: Requirement | undefined }>

export interface DeclaredOptions {
  /** Real paths of the folders whose files may declare who sees them. Files of a cloned repository may not. */
  readonly own: readonly string[]
  /** Parses the beginning of a file; `isWhole` is false if the file is longer. */
  readonly parse: (text: string, path: string, isWhole: boolean) => Requirement | undefined
  /** Whether to read a file with this name at all. */
  readonly isRead: (path: string) => boolean
  readonly cache: DeclaredCache
}

export interface Declared {
  /** For a file or folder at a real path. */
  of(path: string, stat: BigIntStats | undefined): Requirement | undefined
}

const SKILL_FILE = "SKILL.md"
/** The most that frontmatter may take, at up to four bytes per character. */
const MOST_BYTES = 64 * 1024
const MOST_CACHED = 50_000

export function declaredBy(options: DeclaredOptions): Declared {
  const skills = new Map<string, Requirement | undefined>()
  const ofFile = (path: string, stat: BigIntStats | undefined): Requirement | undefined => {
    if (!stat?.isFile()) return undefined
    // A hard link can give the file another name with any extension.
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

/**
 * If SKILL.md is a link, its folder is closed: the reader of the folder may not be allowed to see the link's target.
 */
function skillIn(folder: string, options: DeclaredOptions): Requirement | undefined {
  const path = join(folder, SKILL_FILE)
  const stat = statOf(path)
  if (stat === undefined) return undefined
  return stat.isFile() ? remembered(path, stat, options) : CLOSED
}

function remembered(path: string, stat: BigIntStats, options: DeclaredOptions): Requirement | undefined {
  const { cache } = options
  const state = stampOf(stat)
  const known = cache.get(path)
  if (known?.state === state) return known.needs
  const needs = read(path, options)
  // A file that is temporarily unreadable keeps its last known requirement.
  if (needs === "unreadable")
    return known?.state.startsWith(`${contentStamp(stat)}:`) === true ? known.needs : CLOSED
  if (cache.size >= MOST_CACHED) cache.clear()
  cache.set(path, { state, needs })
  return needs
}

/** Used when a file cannot be read: we don't know what it restricts, so it needs full trust. */
const CLOSED: Requirement = { trust: "full" }

function read(path: string, { own, parse }: DeclaredOptions): Requirement | "unreadable" | undefined {
  const found = withSafeFile(path, { roots: own, followsLinks: false }, (file) => {
    const bytes = readBytes(file, MOST_BYTES)
    const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n")
    return parse(text, path, bytes.length === file.size)
  })
  return found.kind === "opened" ? found.value : "unreadable"
}
