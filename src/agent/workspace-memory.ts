// The memory of a workspace: its stores as they are configured, and the index beside them.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Memory, openMemory } from "../memory/memory.ts"
import { memoryStores } from "../sources/memory-files.ts"
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
