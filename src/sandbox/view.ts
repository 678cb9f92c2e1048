// What a command inside may see and change: the folders of the agent, what is fixed in them, and what stays hidden.
// Every path is real, so that no link leads a mount elsewhere.
import { homedir, tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { isInside } from "../files/inside.ts"
import { existingPathOf, fromHome, realPath } from "../files/real-path.ts"
import type { SandboxSettings } from "./settings.ts"
import { type FixedEntries, type FixedOptions, fixedEntries } from "./visible/fixed-entries.ts"
import { gitFolderAt } from "./visible/git-folders.ts"

/** The folders of an agent, as real paths. */
export interface AgentFolders {
  /** Where the command starts. */
  readonly directory: string
  /** The folder that describes the agent. */
  readonly workspace: string
  /** More folders that the agent may use. */
  readonly others: readonly string[]
  /** Files that become part of a prompt or that the user approved to run, wherever they are. */
  readonly fixed: readonly string[]
  /** State of agents, which no command sees. */
  readonly hidden: readonly string[]
  readonly home: string | undefined
}

export interface View {
  readonly folders: readonly { readonly path: string; readonly isWritable: boolean }[]
  /** Read-only in a writable folder, parents first. */
  readonly fixed: readonly string[]
  /** Writable, but not to be moved away with what is fixed in it. */
  readonly held: readonly string[]
  readonly hidden: readonly string[]
  /** Where the command starts. */
  readonly directory: string
}

/** What to look at after the command, to find what it made. */
export interface Watched {
  readonly before: FixedEntries
  readonly options: FixedOptions
}

const TMP = "/tmp"

type Access = Pick<SandboxSettings, "workspace" | "read" | "write">

export function viewOf(
  folders: AgentFolders,
  settings: Access,
): { readonly view: View; readonly watched: Watched } {
  const { workspace: access, read } = settings
  const readable = [...(access === "read-only" ? ownFolders(folders) : []), ...named(read, folders)]
  const writable = writableFolders(folders, settings)
  const options = { folders: writable, workspace: folders.workspace, also: within(folders.fixed, writable) }
  const before = fixedEntries(options)
  const git = [...new Set(before.git.map(({ path }) => path))]
  const outside = git.filter((path) => !writable.some((folder) => isInside(path, folder)))
  const shown = [...writable, ...readable, ...outside]
  const linked = linkedFrom(before.entries, writable)
  // A link is no place for a mount; if a command replaces it, it is put back.
  const own = [...before.entries].flatMap(([path, { target }]) => (target === undefined ? [path] : []))
  const fixed = [...new Set([...own, ...linked])]
  const ways = [...new Set(linked.flatMap((path) => foldersAbove(path, writable)))]
  return {
    view: {
      folders: [
        ...outermost(readable).map((path) => ({ path, isWritable: false })),
        ...outermost([...writable, ...outside]).map((path) => ({ path, isWritable: true })),
      ],
      fixed,
      // Held anew, what is in a fixed folder could be written.
      held: [...git, ...ways].filter((path) => !fixed.some((one) => isInside(path, one))),
      hidden: within(
        folders.hidden.flatMap((path) => existingPathOf(path) ?? []),
        shown,
      ),
      directory: shown.some((path) => isInside(folders.directory, path)) ? folders.directory : TMP,
    },
    watched: { before, options },
  }
}

/** What links of protected names lead to, in folders that may be written. */
function linkedFrom(entries: FixedEntries["entries"], folders: readonly string[]): readonly string[] {
  return [...entries].flatMap(([path, { target }]) => {
    const real = target === undefined ? undefined : existingPathOf(path)
    const isOurs = real !== undefined && foldersAbove(real, folders).length > 0 && !isInside(path, real)
    return isOurs ? [real] : []
  })
}

/** The folders that a path is in, up to one of `folders`; empty if it is in none. */
function foldersAbove(path: string, folders: readonly string[]): readonly string[] {
  const top = folders.find((folder) => path !== folder && isInside(path, folder))
  if (top === undefined) return []
  const above: string[] = []
  for (let at = dirname(path); at !== top; at = dirname(at)) above.unshift(at)
  return [...above, top]
}

/**
 * Why the folders cannot be shown, if they cannot: one has the sandbox's own files in it, which decide what holds. The
 * root folder always has.
 */
export function unshowable(folders: AgentFolders, settings: Access): string | undefined {
  const own = settings.workspace === "none" ? [] : ownFolders(folders)
  const all = [...own, ...named([...settings.read, ...settings.write], folders)]
  const temporary = realPath(tmpdir())
  const found = all.find((path) => isInside(temporary, path))
  return (
    found &&
    `commands may not see ${found}, because the sandbox keeps its own files below it, in ${temporary}`
  )
}

/** All that a command may write, with the repositories that its folders belong to. */
export function changedBy(folders: AgentFolders, settings: Access): readonly string[] {
  const writable = writableFolders(folders, settings)
  const git = writable.flatMap((folder) => gitFolderAt(join(folder, ".git"), writable))
  return [...writable, ...git.map(({ path }) => path)]
}

/** For programs that run on: what they make is not looked at, and they run while commands are set up. */
export function readingOnly<T extends Access>(settings: T): T {
  const { workspace, read, write } = settings
  return {
    ...settings,
    workspace: workspace === "read-write" ? "read-only" : workspace,
    ...{ read: [...read, ...write], write: [] },
  }
}

function writableFolders(folders: AgentFolders, { workspace: access, write }: Access): readonly string[] {
  return outermost([...(access === "read-write" ? ownFolders(folders) : []), ...named(write, folders)])
}

function ownFolders({ workspace, directory, others }: AgentFolders): readonly string[] {
  return [workspace, directory, ...others]
}

/** Existing paths as configured, relative to the workspace. */
function named(paths: readonly string[], { workspace, home }: AgentFolders): readonly string[] {
  return paths.flatMap((path) => existingPathOf(resolve(workspace, fromHome(path, home ?? homedir()))) ?? [])
}

function within(paths: readonly string[], folders: readonly string[]): readonly string[] {
  return paths.filter((path) => folders.some((folder) => isInside(path, folder)))
}

/** Without those that are inside another. */
function outermost(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter(
    (path, _at, all) => !all.some((one) => one !== path && isInside(path, one)),
  )
}
