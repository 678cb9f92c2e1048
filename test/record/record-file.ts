// What the tests of the record share: a folder for its file, events, and processes that write into it.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import type { RecordStore } from "../../src/database/contract/record/record-store.ts"
import type { Database } from "../../src/database/sqlite/database.ts"
import { openDatabase } from "../../src/database/sqlite/open-database.ts"
import { openRecordFile } from "../../src/database/sqlite/record/open-record.ts"
import { RECORD_MIGRATIONS } from "../../src/database/sqlite/record/schema.ts"
import type { RecordEvent } from "../../src/record/write/event.ts"

export const NOON = Date.UTC(2026, 10, 15, 12)

export function recordFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-record-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "record.sqlite")
}

export function openFile(path: string): Database {
  const database = openDatabase(path, { migrations: RECORD_MIGRATIONS })
  onTestFinished(() => database.close())
  return database
}

/** The record in a file, for questions. */
export function openStore(path: string): RecordStore {
  const store = openRecordFile(path)
  onTestFinished(() => store.close())
  return store
}

export function event(more: Partial<RecordEvent> = {}): RecordEvent {
  return { type: "tool_call", at: NOON, session: "s1", user: "alice", ...more }
}

export function count(database: Database, table = "events"): number {
  return Number(database.get(`SELECT count(*) AS count FROM ${table}`)?.count)
}

/** What SQLite and its text index say of the file. A fresh connection: an old one may check by a form that is gone. */
export function integrity(path: string): unknown {
  const database = openDatabase(path, { migrations: RECORD_MIGRATIONS })
  try {
    // In one transaction: SQLite remembers how the text index was built, and what others change between the two would
    // look to it like damage.
    return database.transaction(() => {
      database.run("INSERT INTO events_text (events_text) VALUES ('integrity-check')")
      return database.get("PRAGMA integrity_check")?.integrity_check
    })
  } finally {
    database.close()
  }
}

export interface Writer {
  readonly child: ChildProcess
  /** The next line of its output; nothing once it has ended. */
  line(): Promise<string | undefined>
  /** Its exit status and all that it wrote to stderr. */
  readonly ended: Promise<{ readonly status: number | null; readonly stderr: string }>
}

/** Runs `record-writer.ts`, which is told by its arguments what to do. */
export function startWriter(...args: readonly string[]): Writer {
  const child = spawn(process.execPath, [join(import.meta.dirname, "record-writer.ts"), ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let stderr = ""
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  const ended = once(child, "close").then(() => ({ status: child.exitCode, stderr }))
  return {
    child,
    ended,
    line: async () => {
      const { value, done } = await lines.next()
      return done ? undefined : value
    },
  }
}
