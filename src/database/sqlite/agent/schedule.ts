// The stored part of the schedule in SQLite.
import type { ScheduleRun } from "../../contract/inbox.ts"
import { CLOCK_GRACE_MS, type StoredSchedule } from "../../contract/schedule.ts"
import { entryOf } from "../../rows/personal-rows.ts"
import type { StoreFile } from "./store-file.ts"

export function scheduleIn(file: StoreFile): StoredSchedule {
  const { database, now, read, write } = file
  return {
    added: (agent) =>
      read(() =>
        database.all("SELECT id, cron, run FROM schedule WHERE agent = ? ORDER BY id", agent).map(entryOf),
      ),
    add: (agent, { cron, run }) =>
      write(() => {
        const same = "SELECT id, cron, run FROM schedule WHERE agent = ? AND cron = ? AND run = ?"
        const known = database.get(same, agent, cron, run)
        if (known !== undefined) return entryOf(known)
        const { id } = database.run(
          "INSERT INTO schedule (agent, cron, run, created_at) VALUES (?, ?, ?, ?)",
          ...[agent, cron, run, now()],
        )
        return { id: String(id), cron, run }
      }),
    remove: (agent, id) =>
      write(() => {
        const entry = "DELETE FROM schedule WHERE agent = ? AND CAST(id AS TEXT) = ?"
        return database.run(entry, agent, id).changes > 0
      }),
    settled: (agent, entries) =>
      write(
        () =>
          new Map(
            entries.map((entry) => [
              entry,
              Math.max(seenSince(file, agent, entry), lastTaken(file, agent, entry)),
            ]),
          ),
      ),
    keepOnly: (agent, entries) =>
      write(() => {
        database.run(
          "DELETE FROM schedule_seen WHERE agent = ? AND entry NOT IN (SELECT value FROM json_each(?))",
          ...[agent, JSON.stringify(entries)],
        )
      }),
    last: (agent, entry) =>
      read(() => {
        const row = database.get(
          `SELECT due, schedule_runs.turn_id AS turn, coalesce(inbox.state, 'taken') AS state
           FROM schedule_runs LEFT JOIN inbox ON inbox.turn_id = schedule_runs.turn_id
           WHERE agent = ? AND entry = ? ORDER BY due DESC LIMIT 1`,
          ...[agent, entry],
        )
        return row && { due: Number(row.due), turn: String(row.turn), state: String(row.state) }
      }),
  }
}

/**
 * From when an entry's runs count: since it was added, or first seen here. A time far in the future comes from a clock
 * that was wrong, and is corrected.
 */
function seenSince({ database, now }: StoreFile, agent: string, entry: string): number {
  const at = now()
  const seen = database.get("SELECT until FROM schedule_seen WHERE agent = ? AND entry = ?", agent, entry)
  if (seen !== undefined && Number(seen.until) <= at + CLOCK_GRACE_MS) return Number(seen.until)
  const row = database.get(
    `INSERT INTO schedule_seen (agent, entry, until)
     SELECT ?, ?, min(?, coalesce((SELECT created_at FROM schedule WHERE CAST(id AS TEXT) = ?), ?))
     WHERE true ON CONFLICT DO UPDATE SET until = min(until, excluded.until) RETURNING until`,
    ...[agent, entry, at, entry, at],
  )
  return Number(row?.until)
}

/** A run claimed under a clock that was far ahead does not block earlier ones. */
function lastTaken({ database, now }: StoreFile, agent: string, entry: string): number {
  const row = database.get(
    "SELECT max(due) AS due FROM schedule_runs WHERE agent = ? AND entry = ? AND due <= ?",
    ...[agent, entry, now() + CLOCK_GRACE_MS],
  )
  return typeof row?.due === "number" ? row.due : Number.NEGATIVE_INFINITY
}

/** Within a transaction. Never claims a run before one that was claimed already: it counts as skipped. */
export function takeRun(
  { database, now }: StoreFile,
  { agent, entry, due }: ScheduleRun,
  turn: string,
): boolean {
  const { changes } = database.run(
    `INSERT OR IGNORE INTO schedule_runs (agent, entry, due, turn_id)
     SELECT ?1, ?2, ?3, ?4
     WHERE NOT EXISTS (SELECT 1 FROM schedule_runs WHERE agent = ?1 AND entry = ?2 AND due BETWEEN ?3 AND ?5)
     AND (?2 LIKE 'c%' OR EXISTS (SELECT 1 FROM schedule WHERE agent = ?1 AND CAST(id AS TEXT) = ?2))`,
    ...[agent, entry, due, turn, now() + CLOCK_GRACE_MS],
  )
  return changes === 1
}
