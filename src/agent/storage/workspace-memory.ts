// The memory of a workspace: its configured stores, and the index beside them.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { StateFiles } from "../../files/paths.ts"
import { type Memory, openMemory } from "../../memory/memory.ts"
import { memoryStores } from "../../sources/config/memory-stores.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { workspaceGate } from "../../sources/workspace-gate.ts"
import { o200k } from "../../tokens/o200k.ts"

/** Whether there is anything to search. */
export function hasMemory({ folder }: Pick<Workspace, "folder">): boolean {
  return existsSync(join(folder, "MEMORY.md")) || existsSync(join(folder, "memory"))
}

interface MemoryOfOptions {
  /** The workspace at the time of a call. */
  readonly now?: () => Workspace
  /** Removes the agent's own keys from a text. */
  readonly redact?: (text: string) => string
}

export function memoryOf(
  workspace: Workspace,
  index: string,
  { now = () => workspace, redact }: MemoryOfOptions = {},
): Memory {
  const { folder } = workspace
  const stores = [...memoryStores(workspace).value].map(([name, trust]) => ({
    name,
    trust,
    folder: join(folder, "memory", name),
  }))
  return openMemory({
    stores,
    files: [{ path: join(folder, "MEMORY.md"), store: "private" }],
    index,
    counter: o200k,
    root: folder,
    gate: () => workspaceGate(now()),
    ...(redact && { redact }),
  })
}

/** The memory of a workspace that may change: reopened when its stores are configured differently. */
export function followingMemory(
  workspace: () => Workspace,
  { index }: Pick<StateFiles, "index">,
  redact: (text: string) => string,
): Memory {
  const termsOf = () => JSON.stringify([...memoryStores(workspace()).value])
  const openNow = () => memoryOf(workspace(), index(workspace().id), { now: workspace, redact })
  let open = { terms: termsOf(), memory: openNow() }
  let closing: Promise<void> = Promise.resolve()
  let looking: Memory | undefined
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
    whyNot: (...asked) => now().whyNot(...asked),
    status: (...asked) => now().status(...asked),
    refresh: (...asked) => now().refresh(...asked),
    async close() {
      await closing
      await open.memory.close()
    },
  }
}
