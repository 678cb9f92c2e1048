// Reads the rows of a table in a damaged file, as far as SQLite still finds them. If a page is unreadable, the scan
// continues behind it. Rows may be wrong, so the caller has to validate them.
import type { Database, Row } from "./database.ts"
import { isDamaged } from "./failure.ts"

/** Damaged pages may form cycles. */
const MOST_ROWS = 5_000_000

export interface ReadableRows {
  readonly rows: readonly Row[]
  /** True if no damage was met. */
  readonly isWhole: boolean
}

/** For a table with row ids. For one without, only the rows before the first damage. `columns`: all, unless they are long. */
export function readableRows(database: Database, table: string, columns = "*"): ReadableRows {
  const first = scan(database, `SELECT ${columns} FROM ${table}`)
  if (first.isWhole || !hasRowIds(database, table)) return first
  const found = new Map<number, Row>()
  const from = (sql: string, ...values: readonly number[]) => {
    const scanned = scan(database, `SELECT rowid AS place_, ${columns} FROM ${table} ${sql}`, ...values)
    for (const { place_: place, ...row } of scanned.rows) found.set(Number(place), row)
    return { ...scanned, last: Number(scanned.rows.at(-1)?.place_ ?? Number.NaN) }
  }
  let reached = 0
  for (let isWhole = false; !isWhole; ) {
    const ahead = from("WHERE rowid > ? ORDER BY rowid", reached)
    if (ahead.isWhole) break
    reached = Number.isNaN(ahead.last) ? reached : ahead.last
    const next = behindDamage(database, table, reached)
    if (next === undefined) break
    // The rows between the damage and the row found behind it.
    from("WHERE rowid > ? AND rowid < ? ORDER BY rowid DESC", reached, next)
    isWhole = next <= reached
    reached = next - 1
  }
  const rows = [...found].sort(([one], [other]) => one - other).map(([, row]) => row)
  return { rows, isWhole: false }
}

function scan(database: Database, sql: string, ...values: readonly number[]): ReadableRows {
  const rows: Row[] = []
  try {
    for (const row of database.each(sql, ...values)) {
      if (rows.length >= MOST_ROWS) return { rows, isWhole: false }
      rows.push(row)
    }
    return { rows, isWhole: true }
  } catch (error) {
    if (!isDamaged(error)) throw error
    return { rows, isWhole: false }
  }
}

function hasRowIds(database: Database, table: string): boolean {
  const row = database.get("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", table)
  return typeof row?.sql === "string" && !/WITHOUT ROWID\s*$/.test(row.sql)
}

/** The id of the nearest readable row after the damage, as far as doubling steps find it. */
function behindDamage(database: Database, table: string, reached: number): number | undefined {
  for (let step = 2; step < Number.MAX_SAFE_INTEGER - reached; step *= 2) {
    try {
      const row = database.get(
        `SELECT rowid AS place_ FROM ${table} WHERE rowid >= ? ORDER BY rowid LIMIT 1`,
        reached + step,
      )
      return row === undefined ? undefined : Number(row.place_)
    } catch (error) {
      if (!isDamaged(error)) throw error
    }
  }
  return undefined
}
