// Copies one table, batch by batch. Each batch is in the target together with the note that it is, or not at all.
import type { Postgres } from "../postgres/postgres.ts"
import type { Row } from "../rows/row.ts"
import { advance, type TableProgress } from "./progress.ts"
import { batchesOf, type SourceTable } from "./source-rows.ts"
import { insertRows } from "./target-rows.ts"

export interface CopyOptions {
  readonly progress: TableProgress | undefined
  readonly makeRoom: (table: string, rows: readonly Row[]) => Promise<void>
  readonly onRows: (copied: number) => void
}

export async function copyTable(
  postgres: Postgres,
  source: SourceTable,
  { progress, makeRoom, onRows }: CopyOptions,
): Promise<void> {
  const { table } = source.move
  let copied = progress?.rows ?? 0
  for (const batch of batchesOf(source, progress?.last)) {
    await makeRoom(table, batch.rows)
    const before = copied
    await postgres.transaction(async (statements) => {
      await advance(statements, table, { before, batch })
      await insertRows(statements, { table, types: source.types }, batch.rows)
    })
    copied += batch.rows.length
    onRows(copied)
  }
}
