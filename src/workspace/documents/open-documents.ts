// Opens the documents of an agent in a PostgreSQL database, with a local copy in the state directory.
import { openDocuments } from "../../database/postgres/documents/documents.ts"
import { openPostgres } from "../../database/postgres/open-postgres.ts"
import type { StateFiles } from "../../files/paths.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { openSharedDocuments, type SharedDocuments } from "./shared-documents.ts"

export interface DocumentsPlace {
  readonly files: Pick<StateFiles, "documents">
  /** As it is at the time of a call. */
  readonly workspace: () => Workspace
}

export async function openWorkspaceDocuments(
  url: string,
  { files, workspace }: DocumentsPlace,
): Promise<SharedDocuments> {
  const postgres = await openPostgres(url)
  try {
    const { id } = workspace()
    const shared = openSharedDocuments(await openDocuments(postgres, id), files.documents(id), workspace)
    return {
      ...shared,
      async close() {
        await shared.close()
        await postgres.close()
      },
    }
  } catch (error) {
    await postgres.close()
    throw error
  }
}
