// Shrinks the record by age, by size, or both. A trace is removed completely or not at all. With the last event of a
// turn go its receipts and everything that only they refer to. The cost sums stay: spending remains known. Works in
// short steps, so that others can write in between. The newest event stays, because ids continue from it.
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { PruneOptions, PruneReport } from "../../contract/record/upkeep.ts"
import type { Database } from "../database.ts"
import { retryWhileBusy } from "../failure.ts"
import { emptyLog, giveBackPages, liveBytes, writeAnew } from "../file-size.ts"
import { setFact } from "./facts.ts"
import { lastEventId, TEXT_COLUMNS } from "./insert.ts"
import { mergeIndex } from "./merge-index.ts"
import { sweepNodes, sweepReceipts, sweepTexts } from "./sweep.ts"

interface Removed {
  readonly events: number
  readonly receipts: number
  readonly texts: number
}

/** Events examined in one step. */
const STEP = 200
/** A trace without an event for this long has ended; none is left without its beginning. */
const QUIET_MS = 5 * 60_000
/** The log's index, which stays while the file is open, and used pages at the end. */
const SPARE_BYTES = 64 * 1024

/**
 * Removes what is too old, or more than the limit, from a record. On its own connection, or one whose owner accepts
 * the waits in between.
 */
export async function prune(database: Database, options: PruneOptions): Promise<PruneReport> {
  const { olderThanMs, maxBytes, now } = options
  const bytesBefore = database.size()
  const byAge = olderThanMs === undefined ? [] : [await remove(database, isoOf(now - olderThanMs), Infinity)]
  const bySize = maxBytes === undefined ? [] : await removeDownTo(database, maxBytes, isoOf(now - QUIET_MS))
  await retryWhileBusy(() => setFact(database, "pruned", isoOf(now)))
  await giveBackPages(database)
  const isLogEmpty = await emptyLog(database)
  const sum = (name: keyof Removed) =>
    [...byAge, ...bySize].reduce((total, removed) => total + removed[name], 0)
  return {
    events: sum("events"),
    receipts: sum("receipts"),
    texts: sum("texts"),
    bytesBefore,
    bytesAfter: database.size(),
    isLogEmpty,
  }
}

/** Removes all events of these sessions and their receipts, whatever their age. The cost sums stay. */
export async function forget(
  database: Database,
  sessions: readonly string[],
): Promise<Pick<PruneReport, "events" | "receipts">> {
  const list = JSON.stringify(sessions)
  const these = "session_id IN (SELECT value FROM json_each(?))"
  const removed = await retryWhileBusy(() =>
    database.transaction(() => {
      const ids = database.all(`SELECT id FROM events WHERE ${these}`, list).map(({ id }) => Number(id))
      removeRows(database, ids)
      const { changes: receipts } = database.run(`DELETE FROM receipts WHERE ${these}`, list)
      return { events: ids.length, receipts }
    }),
  )
  await sweepNodes(database)
  await sweepTexts(database)
  await mergeIndex(database)
  await writeAnew(database)
  return removed
}

/** Oldest first: removes the share of events by which the file is too large, until it fits. */
async function removeDownTo(
  database: Database,
  maxBytes: number,
  before: string,
): Promise<readonly Removed[]> {
  const rounds: Removed[] = []
  for (;;) {
    const live = liveBytes(database)
    const share = (live - Math.max(0, maxBytes - SPARE_BYTES)) / live
    if (share <= 0) return rounds
    const events = Number(database.get("SELECT count(*) AS count FROM events")?.count ?? 0)
    const round = await remove(database, before, Math.ceil(share * events))
    rounds.push(round)
    if (round.events === 0) return rounds
  }
}

async function remove(database: Database, before: string, most: number): Promise<Removed> {
  const events = await removeEvents(database, before, most)
  const receipts = await sweepReceipts(database, before)
  await sweepNodes(database)
  const texts = await sweepTexts(database)
  if (events > 0) await mergeIndex(database)
  return { events, receipts, texts }
}

interface Place {
  readonly timestamp: string
  readonly id: number
}

async function removeEvents(database: Database, before: string, most: number): Promise<number> {
  let removed = 0
  let place: Place | undefined = { timestamp: "", id: 0 }
  while (place !== undefined && removed < most) {
    const from: Place = place
    const step = await retryWhileBusy(() => database.transaction(() => removeStep(database, from, before)))
    removed += step.removed
    place = step.place
    await letOthersRun()
  }
  return removed
}

function removeStep(
  database: Database,
  from: Place,
  before: string,
): { removed: number; place: Place | undefined } {
  const rows = database.all(
    `SELECT id, timestamp, trace_id FROM events WHERE (timestamp, id) > (?, ?) AND timestamp < ?
     ORDER BY timestamp, id LIMIT ?`,
    from.timestamp,
    from.id,
    before,
    STEP,
  )
  const last = rows.at(-1)
  if (last === undefined) return { removed: 0, place: undefined }
  const newest = lastEventId(database)
  const traces = new Set(rows.flatMap(({ trace_id }) => (trace_id === null ? [] : [String(trace_id)])))
  const single = rows.filter(({ id, trace_id }) => trace_id === null && id !== newest)
  const ids = [...single.map(({ id }) => Number(id))]
  for (const trace of traces) ids.push(...idsOfEnded(database, trace, { before, newest }))
  removeRows(database, ids)
  return { removed: ids.length, place: { timestamp: String(last.timestamp), id: Number(last.id) } }
}

/** All events of a trace, or none if it is to stay. */
function idsOfEnded(
  database: Database,
  trace: string,
  { before, newest }: { readonly before: string; readonly newest: number },
): readonly number[] {
  const rows = database.all("SELECT id, timestamp FROM events WHERE trace_id = ?", trace)
  const stays = rows.some(({ id, timestamp }) => String(timestamp) >= before || id === newest)
  return stays ? [] : rows.map(({ id }) => Number(id))
}

const BLANK = `UPDATE events SET session_id = NULL, user_id = NULL, channel = NULL, error = NULL, metadata = NULL,
  trace_id = NULL, span_id = NULL, parent_id = NULL, turn_id = NULL WHERE id = ?`

function removeRows(database: Database, ids: readonly number[]): void {
  const list = JSON.stringify(ids)
  const newest = lastEventId(database)
  // The index needs the old texts to delete them, so this comes before the rows are deleted.
  database.run(
    `INSERT INTO events_text (events_text, rowid, ${TEXT_COLUMNS}) SELECT 'delete', id, ${TEXT_COLUMNS} FROM events
     WHERE id IN (SELECT value FROM json_each(?)) AND (error IS NOT NULL OR metadata IS NOT NULL)`,
    list,
  )
  database.run("DELETE FROM events WHERE id IN (SELECT value FROM json_each(?)) AND id <> ?", list, newest)
  // Only its id is still needed.
  if (ids.includes(newest)) database.run(BLANK, newest)
}

function isoOf(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString()
}
