// What commands may not change in the folders they work in: files that become part of a prompt, or that git, a shell or
// an editor runs on the host later. Existing ones are made read-only; new ones are found afterwards.
import { accessSync, constants, type Dirent, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { errorCode } from "../../base/system-error.ts"
import { type Entry, entryAt, grantOwner } from "../../files/set-aside.ts"
import { isProtectedFile } from "../../tools/files/protected-files.ts"
import { type GitFolder, gitFolderAt, unlistedIn } from "./git-folders.ts"

export interface FixedEntries {
  /** By path. A folder stands for all that is in it. */
  readonly entries: ReadonlyMap<string, Entry>
  /** Git's own folders: writable, but for some of their content, which is among the entries. */
  readonly git: readonly GitFolder[]
}

export interface FixedOptions {
  /** Real paths of the folders that commands may write. */
  readonly folders: readonly string[]
  /** The folder that describes the agent, where more names count. */
  readonly workspace: string
  /** More files, by path. */
  readonly also: readonly string[]
}

/** Reading more folders than this takes too long before each command. */
const MOST_ENTRIES = 300_000

/** Downloaded by the thousand, and none of them is read by an agent that works elsewhere. */
const PACKAGES = "node_modules"

/** Throws if the folders hold more than can be looked through before each command. */
export function fixedEntries(options: FixedOptions): FixedEntries {
  return lookedThrough(options, { most: MOST_ENTRIES, readable: entriesIn })
}

interface Looking {
  readonly most: number
  /** What is in a folder; undefined if it may not be read. */
  readonly readable: (folder: string) => readonly Dirent[] | undefined
}

function lookedThrough(
  { folders, workspace, also }: FixedOptions,
  { most, readable }: Looking,
): FixedEntries {
  const entries = new Map<string, Entry>()
  const git = new Map<string, GitFolder>()
  const add = (path: string) => {
    const entry = entryAt(path)
    if (entry !== undefined) entries.set(path, entry)
  }
  const take = (path: string) => {
    for (const one of gitFolderAt(path, folders)) {
      git.set(one.path, one)
      for (const inner of one.fixed) add(inner)
    }
  }
  const waiting = [...folders]
  let seen = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = readable(folder)
    if (found === undefined && folders.includes(folder)) throw unreadable(folder)
    // What is in it could be found by name.
    if (found === undefined) add(folder)
    for (const entry of found ?? []) {
      seen += 1
      if (seen > most) throw tooMany(folders)
      const path = join(folder, entry.name)
      if (entry.name === ".git") {
        take(path)
        if (!entry.isDirectory()) add(path)
      } else if (isProtectedFile(entry.isDirectory() ? join(path, "x") : path, workspace)) add(path)
      else if (entry.isDirectory() && entry.name !== PACKAGES) waiting.push(path)
    }
  }
  for (const path of also) add(path)
  return { entries, git: [...git.values()] }
}

/** Names that are there now and were not before, or stand for something else than before. */
export function newEntries(before: FixedEntries, options: FixedOptions): readonly string[] {
  for (const { path } of before.git) if (entriesIn(path) === undefined) grantOwner(path)
  // However much it made, and whatever it took the rights to: a limit would be a way to hide something.
  const after = lookedThrough(options, {
    most: Number.POSITIVE_INFINITY,
    readable: (folder) => entriesIn(folder) ?? (before.entries.has(folder) ? undefined : opened(folder)),
  })
  const known = new Set([...before.entries.values()].map(keyOf))
  const repositories = new Set(before.git.map(({ path }) => path))
  return [
    // A folder that was moved takes what is in it along.
    ...[...after.entries].filter(([, entry]) => !known.has(keyOf(entry))).map(([path]) => path),
    ...after.git.flatMap(({ path }) => (repositories.has(path) ? unlistedIn(path, before.entries) : [path])),
  ].filter((path, at, all) => all.indexOf(path) === at && !all.some((other) => path.startsWith(`${other}/`)))
}

/** A file can get the inode of a link that was removed. */
function keyOf({ identity, target }: Entry): string {
  return target === undefined ? identity : `${identity} ${target}`
}

function entriesIn(folder: string): readonly Dirent[] | undefined {
  try {
    // Without the right to enter, names are seen and files are not.
    accessSync(folder, constants.R_OK | constants.X_OK)
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return errorCode(error) === "EACCES" ? undefined : []
  }
}

/** A folder that the command has made unreadable. */
function opened(folder: string): readonly Dirent[] | undefined {
  return grantOwner(folder) ? entriesIn(folder) : undefined
}

function unreadable(folder: string): IncipitError {
  return new IncipitError(
    "sandbox-missing",
    `the sandbox cannot protect ${folder}: it may not be read. Give yourself the rights to read and change it.`,
  )
}

function tooMany(folders: readonly string[]): IncipitError {
  return new IncipitError(
    "sandbox-missing",
    `the sandbox cannot protect ${folders.map((path) => basename(path)).join(", ")}: more than ${MOST_ENTRIES} files and folders. Use a smaller working directory, or workspace: read-only.`,
  )
}
