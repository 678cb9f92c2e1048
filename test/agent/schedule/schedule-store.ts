// A store with a schedule in a folder of its own, and a clock that the test sets.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { Firing } from "../../../src/agent/schedule/due-runs.ts"
import { openSchedule, type Schedule } from "../../../src/agent/schedule/schedule.ts"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { agentStoreIn } from "../../../src/database/sqlite/agent/agent-store.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import type { ConfiguredRun } from "../../../src/sources/config/config-schema.ts"
import { claimer } from "./schedule-claim.ts"

export interface Opened {
  readonly schedule: Schedule
  readonly store: AgentStore
  readonly database: Database
  /** Receives the message of a run, which claims it. Returns false if it was claimed elsewhere. */
  claim(run: Pick<Firing, "entry" | "due">, turn: string): Promise<boolean>
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
  const store = agentStoreIn(database, now)
  const schedule = openSchedule({ store, agent, timeZone, now, entries })
  return { database, store, schedule, claim: claimer(store, { agent, takenBy: "test" }) }
}
