// Copies a record of another place into the user's own, row by row, into tables of our own schema. The record only ever
// answers questions, so nothing in it acts.
import type { Database } from "../../database/sqlite/database.ts"
import { isAboutData } from "../../database/sqlite/failure.ts"
import { put } from "./adopt-store.ts"
import { rowsOf } from "./foreign-copy.ts"

/** What others refer to comes first. */
const TABLES = [
  "texts",
  "text_refs",
  "nodes",
  "models",
  "receipts",
  "events",
  "costs",
  "turn_costs",
  "section_costs",
  "facts",
] as const

const MOST_LOOKED_AT = 200_000

/** How many events it has; undefined if there are more than anybody would wait for. */
export function eventsIn(database: Database): number | undefined {
  let count = 0
  for (const _row of database.each("SELECT 1 FROM events")) {
    count += 1
    if (count > MOST_LOOKED_AT) return undefined
  }
  return count
}

/** Only into a record that has nothing yet: ids are taken over as they are. Returns false if it has something. */
export function adoptRecord(from: Database, into: Database): boolean {
  return into.transaction(() => {
    if (into.get("SELECT 1 FROM events LIMIT 1") !== undefined) return false
    for (const table of TABLES) for (const row of rowsOf(from, table)) keep(() => put(into, table, row))
    into.run("INSERT INTO events_text (events_text) VALUES ('rebuild')")
    return true
  })
}

/** A row that refers to nothing, or lacks what it must have, is left out. */
function keep(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isAboutData(error)) throw error
  }
}
