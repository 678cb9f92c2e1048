// What is indexed of a store, and how far the index is behind the files.
import type { Trust } from "../base/trust.ts"
import type { Database } from "../database/sqlite/database.ts"
import { type Changes, isInStep, withoutTouched } from "./shelf/refresh.ts"
import type { Store } from "./shelf/store.ts"

/** What is in one store. */
export interface StoreStatus {
  readonly name: string
  readonly trust: Trust
  readonly files: number
  readonly units: number
  readonly tokens: number
  /** Whether the index matches the files now, and how many files differ. */
  readonly fresh: boolean
  readonly changed: number
}

/** `changes`: for the visible parts of the store. */
export function statusOf(
  database: Database,
  { name, trust }: Store,
  changes: readonly Changes[],
): StoreStatus {
  const parts = changes.map((part) => withoutTouched(database, part))
  const sums = parts.map(({ shelf }) =>
    database.get(
      "SELECT count(*) AS files, sum(units) AS units, sum(tokens) AS tokens FROM file WHERE shelf = ?",
      shelf ?? -1,
    ),
  )
  const sumOf = (key: string) => sums.reduce((sum, row) => sum + Number(row?.[key] ?? 0), 0)
  return {
    ...{ name, trust },
    files: sumOf("files"),
    units: sumOf("units"),
    tokens: sumOf("tokens"),
    fresh: parts.every(isInStep),
    changed: parts.reduce((sum, { changed, removed }) => sum + changed.length + removed.length, 0),
  }
}
