// Where a workspace's state is: in the user's state directory, never in the workspace. What acts or remembers must not
// travel with a folder; otherwise whoever prepared the folder could act in the user's name.
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { IncipitError } from "../../base/error.ts"
import { foundState } from "../../files/found-state.ts"
import { type FolderIdentity, folderIdentity } from "../../files/identity.ts"
import { makeOwnFolder } from "../../files/own-folder.ts"
import { stateHome } from "../../files/paths.ts"
import { realFolder } from "../../sources/workspace.ts"
import { type FolderTable, type KnownFolder, readFolders, withFolders } from "./folder-table.ts"

export interface StateOptions {
  /** The root of the workspace. */
  readonly workspace: string
  /** The state directory itself, overriding the one in the table. Default: `INCIPIT_STATE_DIR`. */
  readonly state?: string | undefined
  readonly home?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** Questions that only the user can answer. */
export type StateQuestion =
  /** The folder had another path when it was last used, and that path is empty now. */
  | { readonly kind: "moved"; readonly path: string; readonly before: KnownFolder }
  /** Another folder was at this path when it was last used. */
  | { readonly kind: "replaced"; readonly path: string; readonly before: KnownFolder }

export interface OpenStateOptions extends StateOptions {
  readonly now: () => number
  /** If absent, the user cannot be asked, and the answer is no. */
  readonly ask?: (question: StateQuestion) => Promise<boolean>
  /** Receives what the user should know: state that is not used. */
  readonly warn?: (text: string) => void
}

export interface OpenedState {
  readonly folder: string
  /** There was no state before, so the state that came with the folder may be adopted. */
  readonly isNew: boolean
}

/** Where the state of a folder is. Returns undefined if it has none yet. Creates nothing. */
export function findState(options: StateOptions): string | undefined {
  const named = namedState(options)
  if (named !== undefined) return existsSync(named) ? named : undefined
  const folder = identityOf(options.workspace)
  const home = stateHomeOf(options)
  const known = readFolders(home, (folders) => ownRow(folders, folder))
  return known && join(home, known.id)
}

/**
 * Opens the state of a folder, and creates it if there is none. If it is unclear whether the folder is a known one,
 * asks once.
 */
export async function openState(options: OpenStateOptions): Promise<OpenedState> {
  const named = namedState(options)
  if (named !== undefined) {
    const isNew = !existsSync(named)
    // An existing directory is the user's, with the mode that they gave it.
    if (isNew) makeOwnFolder(named)
    return { folder: named, isNew }
  }
  const folder = identityOf(options.workspace)
  const home = stateHomeOf(options)
  const found = withFolders(home, (folders) => useOwn(folders, folder, options.now()))
  const agreed = found === undefined ? await askedAbout(home, folder, options) : undefined
  // Another process may have been faster.
  const { known, isNew } = withFolders(home, (folders) =>
    folders.transaction(() => {
      const own = useOwn(folders, folder, options.now())
      if (own !== undefined) return { known: own, isNew: false }
      if (agreed === undefined) return { known: folders.add(folder, options.now()), isNew: true }
      folders.bind(agreed.id, folder, options.now())
      return { known: agreed, isNew: false }
    }),
  )
  const path = join(home, known.id)
  makeOwnFolder(path)
  return { folder: path, isNew }
}

/** The directory of all state, in the same home folder as the approvals. */
export function stateHomeOf({
  home = homedir(),
  env = process.env,
}: Omit<StateOptions, "workspace">): string {
  return stateHome({ home, env })
}

function namedState({ state, env = process.env }: StateOptions): string | undefined {
  const named = state ?? env.INCIPIT_STATE_DIR
  return named === undefined || named === "" ? undefined : resolve(named)
}

function identityOf(workspace: string): FolderIdentity {
  const found = folderIdentity(realFolder(resolve(workspace), "the workspace"))
  if (found !== undefined) return found
  throw new IncipitError("unreadable-workspace", `${workspace} was deleted or replaced just now`)
}

function useOwn(folders: FolderTable, folder: FolderIdentity, now: number): KnownFolder | undefined {
  const known = ownRow(folders, folder)
  // A folder reachable by two paths keeps the one it has.
  if (known !== undefined) folders.bind(known.id, { ...folder, path: known.path }, now)
  return known
}

/** The row of exactly this folder. Ignores the device: numbers of network disks change with every boot. */
function ownRow(folders: FolderTable, folder: FolderIdentity): KnownFolder | undefined {
  const here = folders.at(folder.path).find((known) => isSame(known, folder))
  if (here !== undefined) return here
  // One folder mounted at two places.
  return folders.withInode(folder.inode).find((known) => {
    const there = folderIdentity(known.path)
    return isMovedFrom(known, folder) && there !== undefined && isMovedFrom(there, folder)
  })
}

function isSame(known: FolderIdentity, { inode, born }: FolderIdentity): boolean {
  return known.inode === inode && known.born === born
}

function isMovedFrom(known: FolderIdentity, folder: FolderIdentity): boolean {
  return isSame(known, folder) && known.device === folder.device
}

/** A possible match that is not certain: only the user knows. */
async function askedAbout(
  home: string,
  folder: FolderIdentity,
  { ask, warn }: OpenStateOptions,
): Promise<KnownFolder | undefined> {
  const question = questionAbout(home, folder)
  if (question === undefined) return undefined
  if (ask === undefined) {
    warn?.(unaskedText(question))
    return undefined
  }
  return (await ask(question)) ? question.before : undefined
}

function questionAbout(home: string, folder: FolderIdentity): StateQuestion | undefined {
  return readFolders(home, (folders) => {
    const { path } = folder
    const [moved] = folders.withInode(folder.inode).filter((known) => isMovedFrom(known, folder))
    if (moved !== undefined) return { kind: "moved", path, before: moved }
    const [replaced] = folders.at(path)
    return replaced && { kind: "replaced", path, before: replaced }
  })
}

function unaskedText({ kind, path, before }: StateQuestion): string {
  const why =
    kind === "moved"
      ? `${path} may be the folder that was at ${before.path}`
      : `the folder at ${path} is not the one that was there before`
  return `${why}. It starts with new, empty state; to use the old state, run: incipit state move ${before.id} ${path}`
}

/** A sentence about state that came with a folder and is not used. Returns undefined if there is none. */
export function foundStateText(workspace: string): string | undefined {
  const found = foundState(workspace)
  if (found.length === 0) return undefined
  const names = found.map(({ shown }) => shown).join(", ")
  return `this folder contains state (${names}), which is not used. To review and adopt it, run: incipit state adopt`
}
