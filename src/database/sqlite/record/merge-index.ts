// Merges the parts of the record's text index. In steps, so that others can write in between.
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { Database } from "../database.ts"
import { retryWhileBusy } from "../failure.ts"

const PAGES = 500

/** Removed rows stay in the text index as deletions until its parts are merged. */
export async function mergeIndex(database: Database): Promise<void> {
  // A negative number starts merging everything into one; a positive one continues.
  for (let pages = -PAGES; ; pages = PAGES) {
    const changes = await retryWhileBusy(() => {
      const before = Number(database.get("SELECT total_changes() AS count")?.count)
      database.run("INSERT INTO events_text (events_text, rank) VALUES ('merge', ?)", pages)
      return Number(database.get("SELECT total_changes() AS count")?.count) - before
    })
    // Fewer than two changes: there was nothing to do.
    if (changes < 2) return
    await letOthersRun()
  }
}
