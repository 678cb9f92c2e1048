// A folder that brings state: as Incipit 0.1.0 left it, or with statements of somebody else's on top.
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Writes `.incipit/agent.db` and `record.db` into a workspace, as 0.1.0 did. */
export function bringState(workspace: string, more: Readonly<Record<string, string>> = {}): void {
  mkdirSync(join(workspace, ".incipit"), { recursive: true })
  for (const name of ["agent", "record"]) {
    const driver = new DatabaseSync(join(workspace, ".incipit", `${name}.db`), { defensive: false })
    driver.exec("PRAGMA journal_mode = WAL")
    driver.exec(readFileSync(join("test", "fixtures", "state-0.1.0", `${name}.sql`), "utf8"))
    if (more[name] !== undefined) driver.exec(more[name])
    driver.close()
  }
}
