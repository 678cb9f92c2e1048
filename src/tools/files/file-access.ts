// The files that one caller may use through tools: some folders, by real path, and in them what the gate allows.
// Created for each turn.
import { statSync } from "node:fs"
import { join, resolve } from "node:path"
import { IncipitError } from "../../base/error.ts"
import type { Trust } from "../../base/trust.ts"
import type { Audience } from "../../core/model/inputs.ts"
import type { Gate } from "../../files/gate/gate.ts"
import { meets, strictest } from "../../files/gate/requirement.ts"
import { isInside } from "../../files/inside.ts"
import { INCIPIT_FOLDER } from "../../files/paths.ts"
import { existingPathOf, fromHome } from "../../files/real-path.ts"
import type { FileAccess } from "../host.ts"
import { isProtectedFile } from "./protected-files.ts"
import { entriesOf } from "./walk.ts"

export interface FileAccessOptions {
  /** The working directory. */
  readonly directory: string
  /** The folder that describes the agent. */
  readonly workspace: string
  /** The user's home folder: expands `~` in a path, and its `.incipit` may be used. */
  readonly home?: string
  /** More folders; missing ones are left out. */
  readonly extra: readonly string[]
  /** The caller, as in this conversation. */
  readonly audience: Audience
  readonly person?: string
  readonly gate: Gate
  /** The trust of a file that was gathered for the prompt, by real path. Should compare files by identity. */
  readonly trustOf: (path: string) => Trust | undefined
  readonly touched: (path: string) => void
  /** Which of the user's approvals runs a file, by real path. */
  readonly partOf?: (path: string) => string | undefined
  /** Why nobody may write a file, by real path. */
  readonly fixed?: ((path: string) => string | undefined) | undefined
}

/** Folders in the home folder whose files a prompt may name. */
const HOME_FOLDERS = [INCIPIT_FOLDER, ".agents/skills"]

export function openFileAccess(options: FileAccessOptions): FileAccess {
  const { audience, person, gate, trustOf, touched, fixed = () => undefined } = options
  const directory = folderAt(options.directory)
  const workspace = folderAt(options.workspace)
  const home = options.home === undefined ? undefined : existingPathOf(resolve(options.home))
  const roots = rootsOf(directory, workspace, home, options.extra)
  const isHere = (path: string) => roots.some((root) => isInside(path, root))
  const isOpen = (path: string) => {
    if (!isHere(path)) return false
    const [guard, known] = [gate.guardOf(path, person), trustOf(path)]
    // The trust of a gathered file does not open a guarded one.
    const needs = guard?.trust === undefined ? guard : strictest([guard, known && { trust: known }])
    return meets(audience, needs ?? {}, known ?? gate.usualTrust(path))
  }
  const holds = holder(isOpen)
  // A folder in which the caller may read nothing counts as missing: its name would reveal what is in it.
  const mayRead = (path: string) =>
    isOpen(path) && (audience.trust === "full" || roots.includes(path) || holds(path))
  return {
    ...{ directory, workspace, roots, mayRead, touched },
    ...(home !== undefined && { home }),
    mayWrite: (path) => audience.trust === "full" && mayRead(path) && fixed(path) === undefined,
    // Nothing is said about a file that the caller may not know of.
    fixed: (path) => (audience.trust === "full" && mayRead(path) ? fixed(path) : undefined),
    isProtected: (path) => trustOf(path) !== undefined || isProtectedFile(path, workspace),
    partOf: (path) => options.partOf?.(path),
  }
}

/** How many entries are checked; if none of them may be read, the folder counts as unreadable. */
const MOST_ENTRIES = 20_000

/** Whether a path is a file, or a folder with a readable file at any depth. Scans each folder once. */
function holder(isOpen: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>()
  const look = (start: string): boolean => {
    const waiting = [start]
    const entered = new Set<string>()
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (entered.has(path) || entered.size >= MOST_ENTRIES) continue
      entered.add(path)
      if (known.get(path) === true || !isFolder(path)) return true
      const inside = entriesOf(path).map(({ name }) => existingPathOf(join(path, name)))
      waiting.push(...inside.filter((one) => one !== undefined && isOpen(one)).map(String))
    }
    return false
  }
  return (path) => {
    const found = known.get(path) ?? look(path)
    known.set(path, found)
    return found
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Each once; a folder inside another is still listed. */
function rootsOf(
  directory: string,
  workspace: string,
  home: string | undefined,
  extra: readonly string[],
): readonly string[] {
  const given = [
    ...(home === undefined ? [] : HOME_FOLDERS.map((name) => join(home, name))),
    ...extra.map((path) => resolve(directory, fromHome(path, home))),
  ]
  const real = given.map(existingPathOf).filter((path) => path !== undefined)
  return [...new Set([directory, workspace, ...real])]
}

function folderAt(path: string): string {
  const real = existingPathOf(resolve(path))
  if (real === undefined) throw new IncipitError("unreadable-workspace", `cannot open the folder ${path}`)
  return real
}
