// Compares a table that was copied: both sides are read again, each by itself.
import { setImmediate as letOthersRun } from "node:timers/promises"
import { IncipitError } from "../../base/error.ts"
import type { Postgres } from "../postgres/postgres.ts"
import { createRowDigest, type TableDigest } from "./row-digest.ts"
import { batchesOf, type SourceTable } from "./source-rows.ts"
import { targetDigest } from "./target-rows.ts"

/** Returns what both sides have. Throws if they differ. */
export async function compareTable(postgres: Postgres, source: SourceTable): Promise<TableDigest> {
  const [file, copy] = await Promise.all([sourceDigest(source), targetDigest(postgres, source.move)])
  if (file.rows === copy.rows && file.digest === copy.digest) return file
  const counts =
    file.rows === copy.rows
      ? `${file.rows} rows, but not the same`
      : `${copy.rows} rows in place of ${file.rows}`
  throw new IncipitError("move-differs", `${source.move.table} in ${postgres.shown} has ${counts}`)
}

async function sourceDigest(source: SourceTable): Promise<TableDigest> {
  const digest = createRowDigest(Object.keys(source.move.columns))
  for (const { rows } of batchesOf(source, undefined)) {
    for (const row of rows) digest.add(row)
    // The target is read meanwhile.
    await letOthersRun()
  }
  return digest.result()
}
