// Stores in a temporary folder, filled from a table of paths and texts, and memory opened on them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Trust } from "../../src/base/trust.ts"
import { type Memory, openMemory } from "../../src/memory/memory.ts"
import { o200k } from "../../src/tokens/o200k.ts"

export const STORES: Readonly<Record<string, Trust>> = {
  private: "full",
  shared: "inner",
  social: "familiar",
}

export interface MemoryFolder {
  readonly path: string
  readonly memory: Memory
  /** A path from the folder of memory on. */
  write(path: string, text: string): string
  /** Another handle on the same files and index. */
  open(): Memory
  remove(): Promise<void>
}

export function memoryFolder(files: Readonly<Record<string, string>> = {}): MemoryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "incipit-memory-")))
  const write = (name: string, text: string) => {
    const full = join(path, "memory", name)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
    return full
  }
  for (const store of Object.keys(STORES)) mkdirSync(join(path, "memory", store), { recursive: true })
  for (const [name, text] of Object.entries(files)) write(name, text)
  const opened: Memory[] = []
  const open = () => {
    const memory = openAt(path)
    opened.push(memory)
    return memory
  }
  const remove = async () => {
    for (const memory of opened) await memory.close()
    rmSync(path, { recursive: true, force: true })
  }
  return { path, memory: open(), write, open, remove }
}

export function openAt(path: string): Memory {
  return openMemory({
    stores: Object.entries(STORES).map(([name, trust]) => ({
      name,
      folder: join(path, "memory", name),
      trust,
    })),
    files: [{ path: join(path, "MEMORY.md"), store: "private" }],
    index: join(path, "state", "memory.sqlite"),
    counter: o200k,
  })
}
