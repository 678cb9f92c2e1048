// The agent's store in a temporary folder, and a clock that only moves when it is told to.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { agentStoreIn } from "../../../src/database/sqlite/agent/agent-store.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"

export const NOON = Date.UTC(2026, 5, 15, 12)
export const HOUR = 60 * 60 * 1_000

export interface TestStore {
  readonly store: AgentStore
  /** To look at its rows. */
  readonly database: Database
  /** The store through another handle on the same file. */
  open(): AgentStore
  readonly now: () => number
  pass(ms: number): void
}

export function testStore(start = NOON): TestStore {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-store-")))
  const opened: Database[] = []
  onTestFinished(() => {
    for (const database of opened) database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const openFile = () => {
    const database = openDatabase(join(folder, "agent.db"), { migrations: STORE_MIGRATIONS })
    opened.push(database)
    return database
  }
  let time = start
  const now = () => time
  const database = openFile()
  return {
    store: agentStoreIn(database, now),
    database,
    open: () => agentStoreIn(openFile(), now),
    now,
    pass: (ms) => {
      time += ms
    },
  }
}
