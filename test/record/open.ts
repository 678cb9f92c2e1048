// A record in a folder of its own, with a clock and ids that the test moves.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordEvent } from "../../src/record/write/event.ts"
import { openRecord, type Recorder } from "../../src/record/write/record.ts"

/** Opens a record, runs the work and takes both away. */
export async function withRecord<T>(work: (record: Recorder) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-record-"))
  const record = openRecord(join(folder, "record.db"))
  try {
    return await work(record)
  } finally {
    await record.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function write(record: Recorder, events: readonly RecordEvent[]): Promise<void> {
  for (const event of events) record.append(event)
  await record.flush()
}

/** A clock that is set by hand. */
export function clockAt(iso: string) {
  let at = Date.parse(iso)
  return {
    now: () => at,
    pass: (ms: number) => {
      at += ms
    },
  }
}

/** `s1`, `s2`, … */
export function counting(prefix: string): () => string {
  let next = 0
  return () => {
    next += 1
    return `${prefix}${next}`
  }
}
