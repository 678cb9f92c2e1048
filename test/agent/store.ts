// The agent's store in a temporary folder, and a clock that only moves when it is told to.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { STORE_MIGRATIONS } from "../../src/agent/store/schema.ts"
import type { Database } from "../../src/database/sqlite/database.ts"
import { openDatabase } from "../../src/database/sqlite/open-database.ts"

export const NOON = Date.UTC(2026, 5, 15, 12)
export const HOUR = 60 * 60 * 1_000

export interface TestStore {
  readonly database: Database
  /** Another handle on the same file. */
  open(): Database
  readonly now: () => number
  pass(ms: number): void
}

export function testStore(): TestStore {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-store-")))
  const opened: Database[] = []
  onTestFinished(() => {
    for (const database of opened) database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const open = () => {
    const database = openDatabase(join(folder, "agent.db"), { migrations: STORE_MIGRATIONS })
    opened.push(database)
    return database
  }
  let time = NOON
  return {
    database: open(),
    open,
    now: () => time,
    pass: (ms) => {
      time += ms
    },
  }
}
