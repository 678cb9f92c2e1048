// What the record takes on the disk, and how to give back what it does not need: pages that rows have left, parts of
// the text index, and the log. In steps, so that others can write in between.
import { setImmediate as breathe } from "node:timers/promises"
import type { Database } from "../../database/sqlite/database.ts"
import { patiently } from "../../database/sqlite/failure.ts"

const PAGES = 500
const LOG_TRIES = 50

/** What the file would take without its free pages. */
export function liveBytes(database: Database): number {
  return (pragma(database, "page_count") - pragma(database, "freelist_count")) * pragma(database, "page_size")
}

/** Rows that were removed are in the text index as removals until its parts are merged. */
export async function mergeIndex(database: Database): Promise<void> {
  // A negative number begins to merge all into one, a positive one goes on with it.
  for (let pages = -PAGES; ; pages = PAGES) {
    const changes = await patiently(() => {
      const before = Number(database.get("SELECT total_changes() AS count")?.count)
      database.run("INSERT INTO events_text (events_text, rank) VALUES ('merge', ?)", pages)
      return Number(database.get("SELECT total_changes() AS count")?.count) - before
    })
    // With fewer than two changes there was nothing to do.
    if (changes < 2) return
    await breathe()
  }
}

export async function giveBackPages(database: Database): Promise<void> {
  for (let free = pragma(database, "freelist_count"); free > 0; ) {
    await patiently(() => database.all(`PRAGMA incremental_vacuum(${PAGES})`))
    const left = pragma(database, "freelist_count")
    // A file that was made without it does not shrink.
    if (left >= free) return
    free = left
    await breathe()
  }
}

/** Of rows that were removed or changed, bytes stay behind in pages that are in use; of a file written anew, none. */
export async function writeAnew(database: Database): Promise<void> {
  await patiently(() => database.run("VACUUM"))
  await emptyLog(database)
}

/** Writes the log back and cuts it to nothing; false if another process was in the way all the time. */
export async function emptyLog(database: Database): Promise<boolean> {
  for (let left = LOG_TRIES; left > 0; left -= 1) {
    const row = await patiently(() => database.get("PRAGMA wal_checkpoint(TRUNCATE)"))
    if (row?.busy === 0) return true
    await breathe()
  }
  return false
}

function pragma(database: Database, name: "page_count" | "freelist_count" | "page_size"): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name] ?? 0)
}
