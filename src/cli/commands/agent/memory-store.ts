// Opens the memory of a workspace for the person that the flags name: its configured stores, and the index beside them.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { hasMemory, memoryOf } from "../../../agent/storage/workspace-memory.ts"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { errorCode, systemReason } from "../../../base/system-error.ts"
import type { Trust } from "../../../base/trust.ts"
import type { StateFiles } from "../../../files/paths.ts"
import type { MemoryStatus } from "../../../memory/memory.ts"
import { RECALL_TOKENS } from "../../../memory/recall.ts"
import type { SharedMemory } from "../../../memory/shared-memory.ts"
import type { Progress } from "../../../memory/shelf/refresh.ts"
import { memoryStores } from "../../../sources/config/memory-stores.ts"
import { resolveAudience } from "../../../sources/config/policy.ts"
import { openWorkspace, type Workspace } from "../../../sources/workspace.ts"
import type { SharedDocuments } from "../../../workspace/documents/shared-documents.ts"
import { senderOf } from "../../command-line/agent-flags.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { withVariables, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { approvedDatabase, lastCopied, withDocuments } from "./documents-place.ts"
import { existingState, openedState } from "./state-place.ts"

export interface OpenedMemory {
  readonly memory: SharedMemory
  readonly index: string
  readonly trust: Trust
  /** Who the author of a write is. */
  readonly by: string
}

interface Place {
  readonly workspace: Workspace
  readonly index: string
  readonly documents?: SharedDocuments | undefined
}

/** Opens, queries and closes. Any failure of the index is reported as an `IncipitError`. */
async function using<T>(
  { workspace, index, documents }: Place,
  ask: (memory: SharedMemory) => T | Promise<T>,
): Promise<T> {
  const memory = memoryOf(workspace, index, { documents })
  try {
    return await ask(memory)
  } catch (error) {
    if (error instanceof IncipitError || errorCode(error) === undefined) throw error
    const why = systemReason(error)
    throw new IncipitError("unusable-database", `cannot use the index ${index}: ${why}`, { cause: error })
  } finally {
    await memory.close()
  }
}

/** `memory index` has no sender. */
type MemoryFlags = Partial<FlagsOf<"memory add">>

interface MemoryUse {
  /** Allows a workspace without memory. */
  readonly mayBegin?: boolean
  /** Creates state for the index if the folder has none. */
  readonly keepsIndex?: boolean
}

/** Opens the memory, queries it, and always closes it. Only a write may create one. */
export async function withMemory<T>(
  flags: MemoryFlags,
  terminal: Terminal,
  ask: (opened: OpenedMemory) => T | Promise<T>,
  { mayBegin = false, keepsIndex = false }: MemoryUse = {},
): Promise<T> {
  const workspace = openWorkspace(workspaceFolder(flags, terminal), { agent: flags.agent })
  const database = databaseOf(flags, terminal)
  if (!mayBegin && database === undefined && !hasMemory(workspace))
    throw new IncipitError("no-memory", `${workspace.folder} has no memory`)
  const { audience, person, isOwner, diagnostics } = resolveAudience(
    workspace.config,
    senderOf(flags),
    "incipit.yaml",
  )
  const found: readonly Diagnostic[] = [
    ...workspace.diagnostics,
    ...memoryStores(workspace).diagnostics,
    ...diagnostics,
  ]
  printDiagnostics(found, terminal)
  const file = flags.index
  // The copy of what is in the database needs a place.
  const isKept = database !== undefined || (file === undefined && keepsIndex)
  if (isKept) await openedState(flags, terminal)
  const state = existingState(flags, terminal)
  const index = file === undefined ? indexFile(state, workspace) : resolve(terminal.cwd, file)
  const { trust } = audience
  const by = person ?? (isOwner ? "owner" : "unknown")
  if (database === undefined || state === undefined)
    return using({ workspace, index }, (memory) => ask({ memory, index, trust, by }))
  return withDocuments(database, { files: state, workspace, trust }, (documents, copied) =>
    using({ workspace: copied, index, documents }, (memory) => ask({ memory, index, trust, by })),
  )
}

/** In memory while the workspace has no state: reading must not create any. */
function indexFile(state: StateFiles | undefined, { id }: Pick<Workspace, "id">): string {
  return state?.index(id) ?? ":memory:"
}

interface StatusOf {
  readonly root: string
  readonly state: StateFiles | undefined
  readonly terminal: Terminal
}

/** The status of the workspace's memory, if it has one; no stores if there is no index yet. Creates nothing. */
export async function memoryStatus({ root, state, terminal }: StatusOf): Promise<MemoryStatus | undefined> {
  if (withVariables({}, terminal).database === undefined && !hasMemory({ folder: root })) return undefined
  const opened = openWorkspace(root)
  const workspace = lastCopied(opened, approvedDatabase(opened, {}, terminal), state)
  const index = indexFile(state, workspace)
  return existsSync(index) ? using({ workspace, index }, (memory) => memory.status()) : { stores: [] }
}

/** What memory holds about a message, with the place of each piece; undefined if there is nothing. */
export async function recallFor(
  workspace: Workspace,
  message: string,
  { state, trust }: { readonly trust: Trust; readonly state: StateFiles | undefined },
): Promise<string | undefined> {
  if (!hasMemory(workspace)) return undefined
  return using({ workspace, index: indexFile(state, workspace) }, async (memory) => {
    await memory.refresh()
    const { status, reason, text } = memory.recall(message, { trust, budget: RECALL_TOKENS })
    if (status === "error") throw new IncipitError("unusable-database", reason ?? "memory cannot be searched")
    return text === "" ? undefined : text
  })
}

const BAR = 24

/** A bar on stderr, shown only to a person at a terminal. */
export function progressBar(terminal: Terminal): { show(progress: Progress): void; clear(): void } {
  if (!terminal.colour) return { show: () => {}, clear: () => {} }
  return {
    show: ({ store, done, files }) => {
      const full = Math.round((BAR * done) / Math.max(1, files))
      terminal.err(
        `\r\u001b[K${"#".repeat(full)}${"-".repeat(BAR - full)} ${store}: ${done} of ${files} files`,
      )
    },
    clear: () => terminal.err("\r\u001b[K"),
  }
}
