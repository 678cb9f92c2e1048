// `incipit memory export` and `memory import`: documents between a folder and the database. Whatever exists on the other
// side with another text is left alone, unless --force says otherwise.
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import { errorCode, systemReason } from "../../../base/system-error.ts"
import { stateFiles } from "../../../files/paths.ts"
import { openWorkspace, realFolder } from "../../../sources/workspace.ts"
import type { SharedDocuments } from "../../../workspace/documents/shared-documents.ts"
import { exportDocuments, importDocuments, type Transfer } from "../../../workspace/documents/transfer.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { transferView } from "../../views/transfer-view.ts"
import { withDocuments } from "./documents-place.ts"
import { openedState } from "./state-place.ts"

export async function exportMemory({ words, flags, terminal }: Invocation<"memory export">): Promise<number> {
  const given = resolve(terminal.cwd, words.join(" "))
  const options = { isForced: flags.force, isDry: flags.dryRun }
  return moved({ flags, terminal }, async ({ stored }) => {
    const folder = folderFor(given, flags.dryRun)
    // Nothing is there to compare with, and nothing is written.
    return exportDocuments(stored, { folder: folder ?? given, ...options })
  })
}

export async function importMemory({ words, flags, terminal }: Invocation<"memory import">): Promise<number> {
  const folder = realFolder(resolve(terminal.cwd, words.join(" ")), "the folder")
  const options = { folder, isForced: flags.force, isDry: flags.dryRun, isAll: flags.all }
  return moved({ flags, terminal }, ({ stored }, workspace) =>
    importDocuments(stored, { ...options, workspace }),
  )
}

interface Moving {
  readonly flags: FlagsOf<"memory export"> | FlagsOf<"memory import">
  readonly terminal: Terminal
}

/** The exit status is 1 if a document was left alone or could not be moved. */
async function moved(
  { flags, terminal }: Moving,
  move: (documents: SharedDocuments, workspace: ReturnType<typeof openWorkspace>) => Promise<Transfer>,
): Promise<number> {
  const database = databaseOf(flags, terminal)
  if (database === undefined)
    throw new IncipitError(
      "bad-argument",
      "no database is set, so memory is files already; name one with --database URL, INCIPIT_DATABASE_URL or database in incipit.yaml",
    )
  const workspace = openWorkspace(workspaceFolder(flags, terminal), { agent: flags.agent })
  const files = stateFiles(await openedState(flags, terminal))
  const transfer = await withDocuments(database, { files, workspace, trust: "full" }, move)
  const isDry = flags.dryRun
  print({ flags, terminal }, { ...transfer, dryRun: isDry }, () => transferView(transfer, isDry))
  return transfer.documents.some(({ fate }) => fate === "differs" || fate === "skipped") ? 1 : 0
}

/** The real folder; created unless it is a dry run, which may return undefined. */
function folderFor(path: string, isDry: boolean): string | undefined {
  try {
    if (!isDry) mkdirSync(path, { recursive: true, mode: 0o700 })
    return realFolder(path, "the folder")
  } catch (error) {
    if (isDry && error instanceof IncipitError && error.code === "unreadable-workspace") return undefined
    if (errorCode(error) === undefined || error instanceof IncipitError) throw error
    throw new IncipitError("bad-argument", `cannot create ${path}: ${systemReason(error)}`, { cause: error })
  }
}
