// Single values about the whole record: how much was dropped, when it was last pruned.
import type { Database } from "../database.ts"

export type FactName = "dropped" | "damaged" | "pruned" | "linked"

export function factOf(database: Database, name: FactName): string | undefined {
  const value = database.get("SELECT value FROM facts WHERE name = ?", name)?.value
  return typeof value === "string" ? value : undefined
}

export function setFact(database: Database, name: FactName, value: string): void {
  database.run(
    "INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    name,
    value,
  )
}

/** For counters that several processes increment. */
export function addToFact(database: Database, name: FactName, count: number): void {
  database.run(
    "INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + excluded.value",
    name,
    String(count),
  )
}
