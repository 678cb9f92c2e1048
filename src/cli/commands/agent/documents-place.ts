// The documents of a command's workspace, if they are in a database: with a copy in the state directory, which is created
// if there is none.
import { isDatabaseApproved } from "../../../approval/approvable.ts"
import type { Trust } from "../../../base/trust.ts"
import { type StateFiles, stateFiles } from "../../../files/paths.ts"
import { existingPathOf } from "../../../files/real-path.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import type { SharedDocuments } from "../../../workspace/documents/shared-documents.ts"
import { homeFolder, type MachineFlags, withVariables } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { openedState } from "./state-place.ts"

export interface DocumentsUse {
  readonly files: Pick<StateFiles, "documents">
  readonly workspace: Workspace
  /** Whose documents are copied first. */
  readonly trust: Trust
}

/** Opens the documents in the database, and always closes them. */
export async function withDocuments<T>(
  url: string,
  { files, workspace, trust }: DocumentsUse,
  use: (documents: SharedDocuments, workspace: Workspace) => T | Promise<T>,
): Promise<T> {
  // Imported here: few runs have a database.
  const { openWorkspaceDocuments } = await import("../../../workspace/documents/open-documents.ts")
  let copied = workspace
  const documents = await openWorkspaceDocuments(url, { files, workspace: () => copied })
  try {
    copied = { ...workspace, documents: documents.folder }
    await documents.catchUp({ trust })
    return await use(documents, copied)
  } finally {
    await documents.close()
  }
}

/** For commands that only read: the workspace with an up-to-date copy, or as it is if there is no database. */
export async function copiedWorkspace(
  workspace: Workspace,
  flags: MachineFlags,
  terminal: Terminal,
): Promise<Workspace> {
  const database = approvedDatabase(workspace, flags, terminal)
  if (database === undefined) return workspace
  const files = stateFiles(await openedState({ ...flags, workspace: workspace.root }, terminal))
  return withDocuments(database, { files, workspace, trust: "full" }, (_documents, copied) => copied)
}

/** A database that a folder names and nobody approved is not asked: what is read are the files. */
export function approvedDatabase(
  workspace: Workspace,
  flags: MachineFlags,
  terminal: Pick<Terminal, "env" | "home">,
): string | undefined {
  const isApproved = isDatabaseApproved(workspace, homeFolder(flags, terminal))
  return withVariables(flags, terminal).database ?? (isApproved ? workspace.config.database : undefined)
}

/** The same with the copy as it is, without asking the database. */
export function lastCopied(
  workspace: Workspace,
  database: string | undefined,
  files: Pick<StateFiles, "documents"> | undefined,
): Workspace {
  const folder = database === undefined ? undefined : files?.documents(workspace.id)
  return { ...workspace, documents: folder && existingPathOf(folder) }
}
