// The files that one asker may use through tools: some folders, by real path, and in them what their trust reaches.
// Made anew for each turn: what has several names is looked up once.
import { basename, join, resolve } from "node:path"
import { IncipitError } from "../core/error.ts"
import { atLeast, type Trust } from "../core/trust.ts"
import { isInside } from "../files/inside.ts"
import { existingPathOf, fromHome, realPathOf } from "../files/real-path.ts"
import { placesOf } from "./file-places.ts"
import type { FileAccess } from "./host.ts"
import { isOwnFile } from "./own-files.ts"

export interface FileAccessOptions {
  /** The working directory. */
  readonly directory: string
  /** The folder that describes the agent. */
  readonly workspace: string
  /** The user's home folder: `~` in a path, and what is in its `.incipit` may be used. */
  readonly home?: string
  /** Further folders; those that are not there are left out. */
  readonly extra: readonly string[]
  /** Of the one who asks, as it is in this conversation. */
  readonly trust: Trust
  readonly person?: string
  readonly stores: readonly { readonly folder: string; readonly trust: Trust }[]
  /** The trust of a file that was gathered for the prompt, by real path. Should tell files by their identity. */
  readonly trustOf: (path: string) => Trust | undefined
  readonly touched: (path: string) => void
}

/** Folders of the home folder with what prompts may name. */
const HOME_FOLDERS = [".incipit", ".agents/skills"]

export function openFileAccess(options: FileAccessOptions): FileAccess {
  const { trust, person, trustOf, touched } = options
  const directory = folderAt(options.directory)
  const workspace = folderAt(options.workspace)
  const home = options.home === undefined ? undefined : existingPathOf(resolve(options.home))
  const roots = rootsOf(directory, workspace, home, options.extra)
  const stores = options.stores.flatMap(({ folder, trust: needs }) => {
    // A link in place of the folder is not followed here: the place itself has the trust, whatever stands there.
    const above = realPathOf(resolve(folder, ".."))
    return above === undefined ? [] : [{ folder: resolve(above, basename(folder)), trust: needs }]
  })
  const needsOf = placesOf({ workspace, home, stores, person, trustOf })
  const isHere = (path: string) => roots.some((root) => isInside(path, root))
  const mayRead = (path: string) => {
    const needs = isHere(path) ? needsOf(path) : "never"
    return needs !== "never" && atLeast(trust, needs)
  }
  return {
    ...{ directory, workspace, roots, mayRead, touched },
    ...(home !== undefined && { home }),
    mayWrite: (path) => trust === "full" && mayRead(path),
    isOwn: (path) => trustOf(path) !== undefined || isOwnFile(path, workspace),
  }
}

/** Each once; a folder inside another is named all the same. */
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
  if (real === undefined) throw new IncipitError("unreadable-workspace", `can not open the folder ${path}`)
  return real
}
