// A machine with a workspace and a state directory of its own, whose memory is in a database that others use, too.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { followingMemory } from "../../../src/agent/storage/workspace-memory.ts"
import { openDocuments } from "../../../src/database/postgres/documents/documents.ts"
import { openPostgres } from "../../../src/database/postgres/open-postgres.ts"
import { stateFiles } from "../../../src/files/paths.ts"
import { openWorkspace, type Workspace } from "../../../src/sources/workspace.ts"
import { openSharedDocuments } from "../../../src/workspace/documents/shared-documents.ts"

export async function openMachine(path: string, url: string) {
  const postgres = await openPostgres(url)
  const documents = await openDocuments(postgres, "main")
  const files = stateFiles(join(path, "state"))
  const opened = openWorkspace(join(path, "workspace"))
  let workspace: Workspace = opened
  const shared = openSharedDocuments(documents, files.documents("main"), () => workspace)
  workspace = { ...opened, documents: shared.folder }
  const memory = followingMemory(() => workspace, files, { documents: shared })
  return {
    ...{ path, postgres, documents, shared, memory, workspace: () => workspace },
    copy: shared.folder,
    index: files.index("main"),
    async close() {
      await memory.close()
      await shared.close()
      await postgres.close()
    },
  }
}

export type Machine = Awaited<ReturnType<typeof openMachine>>

/** A folder for `openMachine`, with these files in its workspace. */
export function machineFolder(files: Readonly<Record<string, string>> = {}): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "incipit-machine-")))
  mkdirSync(join(path, "workspace"))
  for (const [name, text] of Object.entries(files)) {
    const full = join(path, "workspace", name)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
  return path
}

/** Opens machines and removes them at the end of a test. */
export function machines() {
  const opened: Machine[] = []
  return {
    async open(url: string, files: Readonly<Record<string, string>> = {}): Promise<Machine> {
      const machine = await openMachine(machineFolder(files), url)
      opened.push(machine)
      return machine
    },
    /** Another process on the same machine. */
    async beside({ path }: Machine, url: string): Promise<Machine> {
      const machine = await openMachine(path, url)
      opened.unshift(machine)
      return machine
    },
    async again(machine: Machine, url: string): Promise<Machine> {
      await machine.close()
      const next = await openMachine(machine.path, url)
      opened[opened.indexOf(machine)] = next
      return next
    },
    async close() {
      for (const machine of opened.splice(0)) {
        await machine.close()
        rmSync(machine.path, { recursive: true, force: true })
      }
    },
  }
}
