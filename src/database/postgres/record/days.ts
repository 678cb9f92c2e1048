// The partitions of the event log, one for each day in UTC. They are made before they are needed, one day ahead, and
// whoever makes one holds a lock, so that two processes don't make the same.
import type { Postgres, Statements } from "../postgres.ts"

export const DAY_MS = 86_400_000
/** As in the schema: events before and after are in partitions that are there from the start. */
const FIRST_DAY = 0
const END_DAY = 7_258_118_400_000 / DAY_MS

export interface Days {
  /** Makes the partitions for events at these times, and for the day after. */
  prepare(times: readonly number[]): Promise<void>
  /** Another process has removed some. */
  forget(): void
}

export function daysIn(postgres: Postgres): Days {
  const known = new Set<number>()
  return {
    async prepare(times) {
      const days = new Set(times.map((at) => Math.floor(at / DAY_MS)))
      const missing = [...days].filter((day) => isOwn(day) && !known.has(day))
      if (missing.length === 0) return
      const next = Math.max(...missing) + 1
      const wanted = isOwn(next) ? [...missing, next] : missing
      await postgres.transaction((statements) => makeDays(statements, wanted))
      for (const day of wanted) known.add(day)
    },
    forget: () => known.clear(),
  }
}

function isOwn(day: number): boolean {
  return day >= FIRST_DAY && day < END_DAY
}

async function makeDays(statements: Statements, days: readonly number[]): Promise<void> {
  const names = days.map(dayName)
  if ((await storedTables(statements, names)).size === days.length) return
  await lockRecord(statements, "days")
  const there = await storedTables(statements, names)
  for (const day of days) {
    const name = dayName(day)
    if (there.has(name)) continue
    // Attached rather than made in place: that would wait for all readers, and block all others meanwhile.
    await statements.run(`CREATE TABLE ${name} (LIKE record_events INCLUDING ALL)`)
    await statements.run(
      `ALTER TABLE record_events ATTACH PARTITION ${name} FOR VALUES FROM (${day * DAY_MS}) TO (${(day + 1) * DAY_MS})`,
    )
  }
}

/** Reads the catalogue itself: a function such as `to_regclass` may repeat what it knew before the lock. */
export async function storedTables(
  statements: Statements,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await statements.all(
    "SELECT relname FROM pg_class WHERE relname = ANY($1::name[]) AND relnamespace = current_schema()::regnamespace",
    names,
  )
  return new Set(rows.map(({ relname }) => String(relname)))
}

/** `record_events_20261115`. */
export function dayName(day: number): string {
  return `record_events_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "")}`
}

/** The partitions of whole days, oldest first. */
export async function storedDays(statements: Statements): Promise<readonly number[]> {
  const rows = await statements.all(
    `SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'record_events'::regclass AND child.relname ~ '^record_events_[0-9]{8}$' ORDER BY 1`,
  )
  return rows.map(({ name }) => {
    const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(String(name)) ?? []
    return Date.parse(`${year}-${month}-${day}T00:00:00Z`) / DAY_MS
  })
}

/**
 * `texts`: who writes receipts shares it, and who removes texts has it alone, so that nothing is removed that a receipt is
 * just about to name. `days`: who makes partitions. Until the end of the transaction.
 */
export async function lockRecord(
  statements: Statements,
  what: "texts" | "days",
  isShared = false,
): Promise<void> {
  const lock = isShared ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock"
  await statements.get(
    `SELECT ${lock}(hashtextextended(current_schema() || $1, 0))`,
    ` incipit record ${what}`,
  )
}
