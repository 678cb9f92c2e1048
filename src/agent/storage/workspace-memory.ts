// The memory of a workspace: its configured stores, in its folder or in a database, and the index beside them.
import { existsSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { StateFiles } from "../../files/paths.ts"
import { type MemoryOptions, openMemory } from "../../memory/memory.ts"
import { type DocumentKeeper, openSharedMemory, type SharedMemory } from "../../memory/shared-memory.ts"
import { memoryStores } from "../../sources/config/memory-stores.ts"
import { documentsFolder } from "../../sources/documents.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { documentsGate, workspaceGate } from "../../sources/workspace-gate.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { SharedDocuments } from "../../workspace/documents/shared-documents.ts"

/** Whether there is anything to search. A database always has a memory, be it empty. */
export function hasMemory({ folder, documents }: Pick<Workspace, "folder" | "documents">): boolean {
  return (
    documents !== undefined || existsSync(join(folder, "MEMORY.md")) || existsSync(join(folder, "memory"))
  )
}

interface MemoryOfOptions {
  /** The workspace at the time of a call. */
  readonly now?: () => Workspace
  /** Removes the agent's own keys from a text. */
  readonly redact?: ((text: string) => string) | undefined
  /** Those of the workspace, if they are in a database. */
  readonly documents?: SharedDocuments | undefined
}

export function memoryOf(
  workspace: Workspace,
  index: string,
  { now = () => workspace, redact, documents }: MemoryOfOptions = {},
): SharedMemory {
  const folder = documentsFolder(workspace)
  const stores = [...memoryStores(workspace).value].map(([name, trust]) => ({
    name,
    trust,
    folder: join(folder, "memory", name),
  }))
  const options: MemoryOptions = {
    stores,
    files: [{ path: join(folder, "MEMORY.md"), store: "private" }],
    index,
    counter: o200k,
    root: folder,
    gate: () => (workspace.documents === undefined ? workspaceGate(now()) : documentsGate(now(), folder)),
    ...(redact && { redact }),
  }
  return documents === undefined ? openMemory(options) : openSharedMemory(options, keeperOf(documents))
}

/** Documents are named by their paths in the agent's folder, which are those in the copy. */
function keeperOf(documents: SharedDocuments): DocumentKeeper {
  const way = (file: string) => relative(documents.folder, file).split(sep).join("/")
  return {
    catchUp: documents.catchUp,
    digestOf: (file) => documents.digestOf(way(file)),
    write: (file, text, expected) => documents.write(way(file), text, expected),
  }
}

/** The memory of a workspace that may change: reopened when its stores are configured differently. */
export function followingMemory(
  workspace: () => Workspace,
  { index }: Pick<StateFiles, "index">,
  options: Pick<MemoryOfOptions, "redact" | "documents">,
): SharedMemory {
  const termsOf = () => JSON.stringify([...memoryStores(workspace()).value])
  const openNow = () => memoryOf(workspace(), index(workspace().id), { now: workspace, ...options })
  let open = { terms: termsOf(), memory: openNow() }
  let closing: Promise<void> = Promise.resolve()
  let looking: SharedMemory | undefined
  const now = () => {
    if (looking !== undefined) return looking
    const terms = termsOf()
    if (terms !== open.terms) {
      closing = Promise.all([closing, open.memory.close()]).then(() => undefined)
      open = { terms, memory: openNow() }
    }
    return open.memory
  }
  return {
    search: (...asked) => now().search(...asked),
    get: (...asked) => now().get(...asked),
    write: (...asked) => now().write(...asked),
    recall: (...asked) => now().recall(...asked),
    recent: (...asked) => now().recent(...asked),
    inOneLook(ask) {
      looking = now()
      try {
        return looking.inOneLook(ask)
      } finally {
        looking = undefined
      }
    },
    ...(options.documents && { catchUp: async (look) => now().catchUp?.(look) }),
    prepare: () => now().prepare(),
    whyNot: (...asked) => now().whyNot(...asked),
    status: (...asked) => now().status(...asked),
    refresh: (...asked) => now().refresh(...asked),
    async close() {
      await closing
      await open.memory.close()
    },
  }
}
