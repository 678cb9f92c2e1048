// The size of a database on disk, and how to free what it does not need: empty pages and the log. In steps, so that
// others can write in between.
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { Database } from "./database.ts"
import { retryWhileBusy } from "./failure.ts"

const PAGES = 500
const LOG_TRIES = 50

/** The size of the file without its free pages. */
export function liveBytes(database: Database): number {
  return (pragma(database, "page_count") - pragma(database, "freelist_count")) * pragma(database, "page_size")
}

export async function giveBackPages(database: Database): Promise<void> {
  for (let free = pragma(database, "freelist_count"); free > 0; ) {
    await retryWhileBusy(() => database.all(`PRAGMA incremental_vacuum(${PAGES})`))
    const left = pragma(database, "freelist_count")
    // A file created without incremental vacuum does not shrink.
    if (left >= free) return
    free = left
    await letOthersRun()
  }
}

/** Bytes of removed or changed rows stay in used pages; rewriting the file leaves none. */
export async function writeAnew(database: Database): Promise<void> {
  await retryWhileBusy(() => database.run("VACUUM"))
  await emptyLog(database)
}

/** Checkpoints and truncates the log. Returns false if another process blocked it all the time. */
export async function emptyLog(database: Database): Promise<boolean> {
  for (let left = LOG_TRIES; left > 0; left -= 1) {
    const row = await retryWhileBusy(() => database.get("PRAGMA wal_checkpoint(TRUNCATE)"))
    if (row?.busy === 0) return true
    await letOthersRun()
  }
  return false
}

function pragma(database: Database, name: "page_count" | "freelist_count" | "page_size"): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name] ?? 0)
}
