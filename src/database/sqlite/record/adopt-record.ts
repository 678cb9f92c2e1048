// Copies a record that came with a folder into the user's own record, row by row, into our own schema. The record only
// answers questions, so no row in it can act.
import { put } from "../agent/file/adopt-store.ts"
import type { Database } from "../database.ts"
import { isAboutData } from "../failure.ts"
import { rowsOf } from "../foreign-copy.ts"

/** Tables that other tables refer to come first. */
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

/** Counts the events; returns undefined if there are too many to count quickly. */
export function eventsIn(database: Database): number | undefined {
  let count = 0
  for (const _row of database.each("SELECT 1 FROM events")) {
    count += 1
    if (count > MOST_LOOKED_AT) return undefined
  }
  return count
}

/** Copies only into an empty record, because ids are taken over unchanged. Returns false if `into` has rows. */
export function adoptRecord(from: Database, into: Database): boolean {
  return into.transaction(() => {
    if (into.get("SELECT 1 FROM events LIMIT 1") !== undefined) return false
    for (const table of TABLES) for (const row of rowsOf(from, table)) keep(() => put(into, table, row))
    into.run("INSERT INTO events_text (events_text) VALUES ('rebuild')")
    return true
  })
}

/** Skips a row that breaks a foreign key or lacks a required column. */
function keep(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isAboutData(error)) throw error
  }
}
