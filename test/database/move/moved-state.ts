// What the tests of moving share: a state folder with rows of every kind, and what is on either side.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { openPostgresRecord } from "../../../src/database/postgres/record/open-record.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { openRecordFile } from "../../../src/database/sqlite/record/open-record.ts"
import { type StateFiles, stateFiles } from "../../../src/files/paths.ts"
import { fillRecord, readRecord } from "./filled-record.ts"
import { fillStore, readStore } from "./filled-store.ts"

export function emptyState(): StateFiles {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-move-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return stateFiles(folder)
}

export async function filledState(): Promise<StateFiles> {
  const files = emptyState()
  const store = await openStore(files.store)
  await fillStore(store)
  await store.close()
  const record = openRecordFile(files.record)
  await fillRecord(record)
  await record.close()
  return files
}

export async function readFiles({ store: path, record }: StateFiles): Promise<unknown> {
  const [store, events] = [await openStore(path), openRecordFile(record)]
  try {
    return { store: await readStore(store), record: await readRecord(events) }
  } finally {
    await Promise.all([store.close(), events.close()])
  }
}

export async function readDatabase(url: string): Promise<unknown> {
  const [store, record] = [await openPostgresStore(url), await openPostgresRecord(url)]
  try {
    return { store: await readStore(store), record: await readRecord(record) }
  } finally {
    await Promise.all([store.close(), record.close()])
  }
}

/** The bytes of both files. */
export function bytesOf({ store, record }: StateFiles): readonly string[] {
  return [store, record].map((path) => readFileSync(path, "base64"))
}

/** Moves in a process that is killed before the statement of that number. Returns what it printed: nothing if killed. */
export async function runMove(
  { store, record }: Pick<StateFiles, "store" | "record">,
  url: string,
  last = 0,
): Promise<string> {
  const child = spawn("node", ["test/database/move/move-child.ts", store, record, url, `${last}`], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let printed = ""
  child.stdout.on("data", (data) => {
    printed += data
  })
  await once(child, "close")
  return printed
}
