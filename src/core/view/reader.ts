// The tool that a cut names for reading the rest: a registered one that this audience may call and that can open that
// very file. If there is none, a cut only says what is missing.
import { atLeast } from "../../base/trust.ts"
import type { Agent, Session } from "../model/inputs.ts"

export interface Reader {
  readonly tool: string
  /** Folders outside the workspace that it may read. */
  readonly folders: readonly string[]
}

/** The usual names of tools that read any file of the workspace. */
const READERS = ["read", "read_file", "file_read"]
/** The folders below the home folder that a file tool may read. */
const HOME_FOLDERS = ["~/.incipit/", "~/.agents/skills/"]

/** `names`: the reading tools of a layout that has its own. */
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

/** The tool's name, if the tool can open the file by the path that the prompt uses. */
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
