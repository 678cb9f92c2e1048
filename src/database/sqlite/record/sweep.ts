// Removes what is no longer referenced: receipts of turns without events, ends of conversations without receipts, texts
// without either. A few rows at a time under the write lock, so that no writer gets between check and removal. Newest
// first: a row is only referenced by later ones.
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { Database, Value } from "../database.ts"
import { retryWhileBusy } from "../failure.ts"
import { linkTexts, unlinkRemoved } from "./text-links.ts"

const STEP = 500

/** Returns the number removed. A younger receipt may belong to a turn whose events are not written yet. */
export function sweepReceipts(database: Database, before: string): Promise<number> {
  const sql = `DELETE FROM receipts WHERE id = ? AND at < ?
    AND NOT EXISTS (SELECT 1 FROM events WHERE events.turn_id = receipts.turn_id)`
  return sweep(database, { table: "receipts", sql, values: [Date.parse(before)] })
}

export function sweepNodes(database: Database): Promise<number> {
  const sql = `DELETE FROM nodes WHERE id = ?
    AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.node = nodes.id)
    AND NOT EXISTS (SELECT 1 FROM nodes AS child WHERE child.parent = nodes.id)`
  return sweep(database, { table: "nodes", sql, values: [] })
}

export function sweepTexts(database: Database): Promise<number> {
  const sql = `DELETE FROM texts WHERE id = ?
    AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.frame = texts.id)
    AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.marks = texts.id)
    AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.plan = texts.id)
    AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.text = texts.id)
    AND NOT EXISTS (SELECT 1 FROM text_refs WHERE text_refs.ref = texts.id)`
  return sweep(database, { table: "texts", sql, values: [], isReady: () => linkTexts(database, STEP) })
}

interface Sweep {
  readonly table: "receipts" | "nodes" | "texts"
  /** Removes the row of the first parameter if nothing refers to it. */
  readonly sql: string
  readonly values: readonly Value[]
  /** Does a part of the preparation, and returns whether it is complete. */
  readonly isReady?: () => boolean
}

async function sweep(database: Database, { table, sql, values, isReady }: Sweep): Promise<number> {
  let below = Number.MAX_SAFE_INTEGER
  let removed = 0
  const step = () => {
    if (isReady?.() === false) return true
    const rows = database.all(`SELECT id FROM ${table} WHERE id < ? ORDER BY id DESC LIMIT ${STEP}`, below)
    for (const { id } of rows) removed += database.run(sql, Number(id), ...values).changes
    if (table === "texts") unlinkRemoved(database)
    below = Number(rows.at(-1)?.id ?? 0)
    return rows.length === STEP
  }
  while (await retryWhileBusy(() => database.transaction(step))) await letOthersRun()
  return removed
}
