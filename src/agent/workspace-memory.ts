// The memory of a workspace: its stores as they are configured, and the index beside them.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Memory, openMemory } from "../memory/memory.ts"
import { memoryStores } from "../sources/memory-stores.ts"
import type { Workspace } from "../sources/workspace.ts"
import { o200k } from "../tokens/o200k.ts"

/** Whether there is anything to search. */
export function hasMemory({ folder }: Pick<Workspace, "folder">): boolean {
  return existsSync(join(folder, "MEMORY.md")) || existsSync(join(folder, "memory"))
}

export function indexFile({ folder }: Pick<Workspace, "folder">): string {
  return join(folder, ".incipit", "memory.db")
}

export function memoryOf(workspace: Workspace, index = indexFile(workspace)): Memory {
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
  })
}

/** The memory of a workspace that may change: it is opened anew when its stores are configured otherwise. */
export function followingMemory(workspace: () => Workspace): Memory {
  const termsOf = () => JSON.stringify([...memoryStores(workspace()).value])
  let open = { terms: termsOf(), memory: memoryOf(workspace()) }
  let closing: Promise<void> = Promise.resolve()
  const now = () => {
    const terms = termsOf()
    if (terms !== open.terms) {
      closing = Promise.all([closing, open.memory.close()]).then(() => undefined)
      open = { terms, memory: memoryOf(workspace()) }
    }
    return open.memory
  }
  return {
    search: (...asked) => now().search(...asked),
    get: (...asked) => now().get(...asked),
    write: (...asked) => now().write(...asked),
    recall: (...asked) => now().recall(...asked),
    recent: (...asked) => now().recent(...asked),
    whyNot: (...asked) => now().whyNot(...asked),
    status: (...asked) => now().status(...asked),
    refresh: (...asked) => now().refresh(...asked),
    async close() {
      await closing
      await open.memory.close()
    },
  }
}
