// The stored part of the schedule in PostgreSQL.
import type { ScheduleRun } from "../../contract/inbox.ts"
import { CLOCK_GRACE_MS, type StoredSchedule } from "../../contract/schedule.ts"
import { entryOf } from "../../rows/personal-rows.ts"
import type { Statements } from "../postgres.ts"
import { inLine, type StoreConnection, wakes } from "./store-connection.ts"

export function scheduleIn({ postgres, write }: StoreConnection): StoredSchedule {
  return {
    added: async (agent) =>
      (await postgres.all("SELECT id, cron, run FROM schedule WHERE agent = $1 ORDER BY id", agent)).map(
        entryOf,
      ),
    add: (agent, { cron, run }) =>
      write(async (statements) => {
        await inLine(statements, "schedule", agent)
        const same = "SELECT id, cron, run FROM schedule WHERE agent = $1 AND cron = $2 AND run = $3"
        const known = await statements.get(same, agent, cron, run)
        if (known !== undefined) return entryOf(known)
        const row = await statements.get(
          `INSERT INTO schedule (agent, cron, run, created_at) VALUES ($1, $2, $3, now_ms())
          RETURNING id, ${wakes("configuration")}`,
          ...[agent, cron, run],
        )
        return { id: String(row?.id), cron, run }
      }),
    remove: (agent, id) =>
      write(async (statements) => {
        const removed = `DELETE FROM schedule WHERE agent = $1 AND id::text = $2 RETURNING ${wakes("configuration")}`
        return (await statements.run(removed, agent, id)) > 0
      }),
    async settled(agent, entries) {
      // Most looks write nothing.
      const found = await settledIn(postgres, agent, entries)
      if (entries.every((entry) => found.has(entry))) return found
      return write(async (statements) => {
        await see(statements, agent, entries)
        return settledIn(statements, agent, entries)
      })
    },
    async keepOnly(agent, entries) {
      await postgres.run(
        "DELETE FROM schedule_seen WHERE agent = $1 AND entry <> ALL($2::text[])",
        ...[agent, entries],
      )
    },
    async last(agent, entry) {
      const row = await postgres.get(
        `SELECT due, schedule_runs.turn_id AS turn, coalesce(inbox.state, 'taken') AS state
        FROM schedule_runs LEFT JOIN inbox ON inbox.turn_id = schedule_runs.turn_id
        WHERE agent = $1 AND entry = $2 ORDER BY due DESC LIMIT 1`,
        ...[agent, entry],
      )
      return row && { due: Number(row.due), turn: String(row.turn), state: String(row.state) }
    },
  }
}

/** The entries that were seen, in the order of `entries`. A run claimed under a clock that was far ahead blocks no other. */
async function settledIn(
  statements: Statements,
  agent: string,
  entries: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await statements.all(
    `SELECT entry, greatest(until, (SELECT max(due) FROM schedule_runs WHERE schedule_runs.agent = $1
      AND schedule_runs.entry = schedule_seen.entry AND due <= now_ms() + $3::bigint)) AS until
    FROM schedule_seen WHERE agent = $1 AND entry = ANY($2::text[]) AND until <= now_ms() + $3::bigint`,
    ...[agent, entries, CLOCK_GRACE_MS],
  )
  const found = new Map(rows.map(({ entry, until }) => [String(entry), Number(until)]))
  return new Map(entries.flatMap((entry) => (found.has(entry) ? [[entry, found.get(entry) ?? 0]] : [])))
}

/**
 * From when the runs of entries count: since each was added, or first seen here. A time far in the future comes from a
 * clock that was wrong, and is corrected.
 */
async function see(statements: Statements, agent: string, entries: readonly string[]): Promise<void> {
  await statements.run(
    `INSERT INTO schedule_seen (agent, entry, until)
    SELECT $1, entry, least(now_ms(), coalesce((SELECT created_at FROM schedule WHERE id::text = entry), now_ms()))
    FROM unnest($2::text[]) AS entry
    ON CONFLICT (agent, entry) DO UPDATE SET until = excluded.until
    WHERE schedule_seen.until > now_ms() + $3::bigint`,
    ...[agent, entries, CLOCK_GRACE_MS],
  )
}

/** Within a transaction. Never claims a run before one that was claimed already: it counts as skipped. */
export async function takeRun(
  statements: Statements,
  { agent, entry, due }: ScheduleRun,
  turn: string,
): Promise<boolean> {
  await inLine(statements, "run", agent, entry)
  const changes = await statements.run(
    `INSERT INTO schedule_runs (agent, entry, due, turn_id) SELECT $1, $2, $3::bigint, $4
    WHERE NOT EXISTS (SELECT 1 FROM schedule_runs
      WHERE agent = $1 AND entry = $2 AND due BETWEEN $3 AND now_ms() + $5::bigint)
    AND ($2 LIKE 'c%' OR EXISTS (SELECT 1 FROM schedule WHERE agent = $1 AND id::text = $2))
    ON CONFLICT DO NOTHING`,
    ...[agent, entry, due, turn, CLOCK_GRACE_MS],
  )
  return changes === 1
}
