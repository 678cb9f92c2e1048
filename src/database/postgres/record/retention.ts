// Shrinks the record on PostgreSQL by whole days: a day whose events are all too old is dropped at once, and what a longer
// trace still needs is put back. The sums of costs stay. Short transactions, so that others can write in between.
import type { PruneOptions, PruneReport } from "../../contract/record/upkeep.ts"
import type { Postgres, Statements } from "../postgres.ts"
import { DAY_MS, dayName, storedDays, storedTables } from "./days.ts"
import { lastId } from "./event-log.ts"
import { COLUMNS } from "./event-rows.ts"
import { loosen } from "./put-receipts.ts"
import { sweep } from "./sweep.ts"

/** A trace without an event for this long has ended; none is left without its beginning. */
const QUIET_MS = 5 * 60_000

export async function prune(postgres: Postgres, options: PruneOptions): Promise<PruneReport> {
  const { olderThanMs, maxBytes, now } = options
  const bytesBefore = await totalBytes(postgres)
  const removed = { events: 0, receipts: 0, texts: 0 }
  const remove = async (before: number) => {
    removed.events += await removeEvents(postgres, before)
    const swept = await sweep(postgres, before)
    removed.receipts += swept.receipts
    removed.texts += swept.texts
  }
  if (olderThanMs !== undefined) await remove(dayOf(now - olderThanMs) * DAY_MS)
  if (maxBytes !== undefined) await removeDownTo(postgres, { maxBytes, now, remove })
  await postgres.run(
    `INSERT INTO record_facts VALUES ('pruned', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    new Date(Math.max(0, now)).toISOString(),
  )
  return { ...removed, bytesBefore, bytesAfter: await totalBytes(postgres), isLogEmpty: true }
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

interface SizeLimit {
  readonly maxBytes: number
  readonly now: number
  readonly remove: (before: number) => Promise<void>
}

/** The oldest days go until the rest fits; the current one stays. */
async function removeDownTo(postgres: Postgres, { maxBytes, now, remove }: SizeLimit): Promise<void> {
  for (const day of await storedDays(postgres)) {
    if (day >= dayOf(now - QUIET_MS) || (await liveBytes(postgres)) <= maxBytes) return
    await remove((day + 1) * DAY_MS)
  }
}

const TABLES = `SELECT 'record_events'::regclass AS oid UNION ALL SELECT inhrelid FROM pg_inherits
WHERE inhparent = 'record_events'::regclass UNION ALL SELECT unnest(ARRAY['record_texts', 'record_text_refs',
'record_nodes', 'record_receipts', 'record_costs', 'record_turn_costs', 'record_section_costs']::regclass[])`

export async function totalBytes(statements: Statements): Promise<number> {
  const row = await statements.get(`SELECT sum(pg_total_relation_size(oid)) AS bytes FROM (${TABLES}) AS own`)
  return Number(row?.bytes ?? 0)
}

/** Tables keep the room of removed rows for new ones, so texts are measured by what they hold. */
async function liveBytes(statements: Statements): Promise<number> {
  const row = await statements.get(
    `SELECT (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits
      WHERE inhparent = 'record_events'::regclass)
    + (SELECT coalesce(sum(octet_length(body) + 200), 0) FROM record_texts)
    + (SELECT count(*) FROM record_nodes) * 400 + (SELECT count(*) FROM record_receipts) * 800 AS bytes`,
  )
  return Number(row?.bytes ?? 0)
}

/** Everything before a day, but for traces that go on after it and the newest event. Returns the number removed. */
async function removeEvents(postgres: Postgres, before: number): Promise<number> {
  let removed = 0
  for (const day of await storedDays(postgres)) {
    if ((day + 1) * DAY_MS > before) break
    removed += await postgres.transaction((statements) => removeDay(statements, dayName(day), before), {
      isLong: true,
    })
  }
  return removed + (await postgres.transaction((statements) => removeEarly(statements, before)))
}

const STAYS = `id = $2 OR trace_id IN (
  SELECT trace_id FROM (SELECT DISTINCT trace_id FROM TABLE_ WHERE trace_id IS NOT NULL) AS old
  WHERE EXISTS (SELECT FROM record_events AS later WHERE later.trace_id = old.trace_id
    AND (later.at >= $1 OR later.id = $2)))`

async function removeDay(statements: Statements, name: string, before: number): Promise<number> {
  const newest = await lockLog(statements)
  // Another process may have been faster.
  if (!(await storedTables(statements, [name])).has(name)) return 0
  const stays = STAYS.replace("TABLE_", name)
  const columns = `${COLUMNS}, words`
  await statements.run("DROP TABLE IF EXISTS pg_temp.record_kept")
  await statements.run(
    `CREATE TEMP TABLE record_kept ON COMMIT DROP AS SELECT ${columns} FROM ${name} LIMIT 0`,
  )
  const kept = await statements.run(
    `INSERT INTO record_kept SELECT ${columns} FROM ${name} WHERE ${stays}`,
    ...[before, newest],
  )
  const all = Number((await statements.get(`SELECT count(*) AS count FROM ${name}`))?.count)
  if (kept === 0) await statements.run(`DROP TABLE ${name}`)
  else if (kept < all) {
    await statements.run(`TRUNCATE ${name}`)
    await statements.run(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM record_kept`)
  }
  return all - kept
}

/** Days before 1970 are in one partition, which stays. */
async function removeEarly(statements: Statements, before: number): Promise<number> {
  const newest = await lockLog(statements)
  const stays = STAYS.replace("TABLE_", "record_events_early")
  return statements.run(
    `DELETE FROM record_events_early WHERE at < $1 AND NOT coalesce(${stays}, false)`,
    ...[before, newest],
  )
}

/** No event is written until the end of the transaction. Returns the id of the newest one. */
async function lockLog(statements: Statements): Promise<number> {
  await statements.get("SELECT last FROM record_last FOR UPDATE")
  return lastId(statements)
}

const THESE = "session_id = ANY($1::text[])"
const BLANK = `UPDATE record_events SET session_id = NULL, user_id = NULL, channel = NULL, error = NULL, metadata = NULL,
  trace_id = NULL, span_id = NULL, parent_id = NULL, turn_id = NULL, words = NULL WHERE ${THESE} AND id = $2`

/** The server overwrites the bytes with its next vacuum. */
export async function forget(
  postgres: Postgres,
  sessions: readonly string[],
): Promise<Pick<PruneReport, "events" | "receipts">> {
  const removed = await postgres.transaction(
    async (statements) => {
      const newest = await lockLog(statements)
      const events = await statements.run(
        `DELETE FROM record_events WHERE ${THESE} AND id <> $2`,
        sessions,
        newest,
      )
      // Only its id is still needed.
      const blanked = await statements.run(BLANK, sessions, newest)
      const receipts = await statements.all(
        `DELETE FROM record_receipts WHERE ${THESE} RETURNING frame, node, marks, plan`,
        sessions,
      )
      await loosen(
        statements,
        receipts.map(({ frame, node, marks, plan }) => ({
          ...{ frame: String(frame), node: String(node), marks: String(marks), plan: String(plan) },
        })),
      )
      return { events: events + blanked, receipts: receipts.length }
    },
    { isLong: true },
  )
  await sweep(postgres, 0)
  return removed
}
