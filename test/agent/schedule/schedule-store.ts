// A store with a schedule in a folder of its own, and a clock that the test sets.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { openSchedule, type Schedule } from "../../../src/agent/schedule/schedule.ts"
import { STORE_MIGRATIONS } from "../../../src/agent/store/schema.ts"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import type { ConfiguredRun } from "../../../src/sources/config/config-schema.ts"

export interface Opened {
  readonly schedule: Schedule
  readonly database: Database
}

export function storeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-schedule-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "agent.db")
}

export function openAt(
  path: string,
  options: { now: () => number; entries?: readonly ConfiguredRun[]; timeZone?: string; agent?: string },
): Opened {
  const { now, entries = [], timeZone = "UTC", agent = "main" } = options
  const database = openDatabase(path, { migrations: STORE_MIGRATIONS })
  return { database, schedule: openSchedule({ database, agent, timeZone, now, entries }) }
}
