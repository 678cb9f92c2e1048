// What a command inside may see and change: the folders of the agent, what is fixed in them, and what stays hidden.
// Every path is real, so that no link leads a mount elsewhere.
import { homedir } from "node:os"
import { resolve } from "node:path"
import { isInside } from "../files/inside.ts"
import { existingPathOf, fromHome } from "../files/real-path.ts"
import type { SandboxSettings } from "./settings.ts"
import { type FixedEntries, type FixedOptions, fixedEntries } from "./visible/fixed-entries.ts"

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

export function viewOf(
  folders: AgentFolders,
  { workspace: access, read, write }: Pick<SandboxSettings, "workspace" | "read" | "write">,
): { readonly view: View; readonly watched: Watched } {
  const own = access === "none" ? [] : [folders.workspace, folders.directory, ...folders.others]
  const readable = [...(access === "read-only" ? own : []), ...named(read, folders)]
  const writable = outermost([...(access === "read-write" ? own : []), ...named(write, folders)])
  const options = { folders: writable, workspace: folders.workspace, also: within(folders.fixed, writable) }
  const before = fixedEntries(options)
  const git = before.git.map(({ path }) => path)
  const outside = git.filter((path) => !writable.some((folder) => isInside(path, folder)))
  const shown = [...writable, ...readable, ...outside]
  return {
    view: {
      folders: [
        ...outermost(readable).map((path) => ({ path, isWritable: false })),
        ...outermost([...writable, ...outside]).map((path) => ({ path, isWritable: true })),
      ],
      // A link is no place for a mount; if a command replaces it, it is put back.
      fixed: [...before.entries].filter(([, { target }]) => target === undefined).map(([path]) => path),
      held: git,
      hidden: within(
        folders.hidden.flatMap((path) => existingPathOf(path) ?? []),
        shown,
      ),
      directory: shown.some((path) => isInside(folders.directory, path)) ? folders.directory : TMP,
    },
    watched: { before, options },
  }
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
