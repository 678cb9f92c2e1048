// The tool that a cut names for what it left out: only one that is registered, that this audience may call, and that can
// open the very file. Where there is none, a cut says what is missing and nothing more.
import { atLeast } from "../../base/trust.ts"
import type { Agent, Session } from "../model/scope.ts"

export interface Reader {
  readonly tool: string
  /** Folders outside of the workspace in which it may read. */
  readonly folders: readonly string[]
}

/** Tools that read any file of the workspace, by the names that they usually have. */
const READERS = ["read", "read_file", "file_read"]
/** What a file tool may read of the home folder. */
const HOME_FOLDERS = ["~/.incipit/", "~/.agents/skills/"]

/** `names`: the tools that can read in a layout that has its own. */
export function readerOf(
  { tools }: Pick<Agent, "tools">,
  { audience, directory, directories = [] }: Pick<Session, "audience" | "directory" | "directories">,
  names: readonly string[] = READERS,
): Reader | undefined {
  const isThere = (name: string) =>
    tools.some((tool) => tool.name === name && atLeast(audience.trust, tool.trust ?? "public"))
  const tool = names.find(isThere)
  const folders = directory === undefined ? directories : [directory, ...directories]
  return tool === undefined ? undefined : { tool, folders }
}

/** The tool's name, if it can open a file by the path under which the prompt names it. */
export function toolFor(reader: Reader | undefined, path: string): string | undefined {
  if (reader === undefined) return undefined
  const { tool, folders } = reader
  if (HOME_FOLDERS.some((folder) => path.startsWith(folder))) return tool
  const isElsewhere = /^(?:[/~\\]|[A-Za-z]:[/\\]|\.\.(?:[/\\]|$))/.test(path)
  return !isElsewhere || folders.some((folder) => isBelow(path, folder)) ? tool : undefined
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(/[/\\]$/.test(folder) ? folder : `${folder}${folder.includes("\\") ? "\\" : "/"}`)
}

export function sameReader(a: Reader | undefined, b: Reader | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return (
    a.tool === b.tool &&
    a.folders.length === b.folders.length &&
    a.folders.every((folder, at) => folder === b.folders[at])
  )
}
