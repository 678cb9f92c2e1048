// Writes batches into PostgreSQL, each in one transaction of a few statements. If something in a batch cannot be written,
// the rest still is. While the server cannot be reached, nothing is lost: the caller keeps the batch and tries again.
import { IncipitError } from "../../../base/error.ts"
import type { Appended, Batch, RecordEntry } from "../../contract/record/batch.ts"
import type { NodeName } from "../../contract/record/receipts.ts"
import { codeOf } from "../failure.ts"
import type { Postgres, Statements } from "../postgres.ts"
import { addCalls, addParts, turnsOf } from "./call-sums.ts"
import type { Days } from "./days.ts"
import { insertEvents } from "./event-rows.ts"
import { putReceipts } from "./put-receipts.ts"

export function appendTo(postgres: Postgres, days: Days): (batch: Batch) => Promise<Appended> {
  return async (batch) => {
    try {
      const nodes = await write(postgres, days, batch)
      return { kind: "written", count: batch.entries.length, failures: [], nodes }
    } catch (error) {
      if (isAway(error)) return { kind: "locked" }
      if (!isAboutData(error)) throw error
      return writeEach(postgres, days, batch)
    }
  }
}

/** Slower, but an entry that cannot be written fails alone. */
async function writeEach(postgres: Postgres, days: Days, { entries, dropped }: Batch): Promise<Appended> {
  const failures: unknown[] = []
  const nodes = new Map<number, readonly NodeName[]>()
  let count = 0
  for (const entry of entries) {
    try {
      const made = await write(postgres, days, { entries: [entry], dropped: count === 0 ? dropped : 0 })
      for (const path of made.values()) nodes.set(count, path)
    } catch (error) {
      // What is left is written later.
      if (isAway(error)) break
      if (!isAboutData(error)) throw error
      failures.push(error)
    }
    count += 1
  }
  return count === 0 ? { kind: "locked" } : { kind: "written", count, failures, nodes }
}

async function write(
  postgres: Postgres,
  days: Days,
  batch: Batch,
): Promise<ReadonlyMap<number, readonly NodeName[]>> {
  const times = eventsOf(batch).map(({ timestamp }) => Date.parse(timestamp))
  await days.prepare(times)
  try {
    return await postgres.transaction((statements) => writeAll(statements, batch))
  } catch (error) {
    if (serverCode(error) !== NO_PARTITION) throw error
    // Another process has just removed an old day.
    days.forget()
    await days.prepare(times)
    return postgres.transaction((statements) => writeAll(statements, batch))
  }
}

function eventsOf({ entries }: Batch) {
  return entries.flatMap((entry) => (entry.kind === "event" ? [entry.row] : []))
}

const LOCK_LOG = "UPDATE record_last SET last = last + $1 RETURNING last"
const KNOWN_TURNS = "SELECT DISTINCT turn_id FROM record_turn_costs WHERE turn_id = ANY($1::text[])"
const ADD_DROPPED = `INSERT INTO record_facts AS old VALUES ('dropped', $1)
ON CONFLICT (name) DO UPDATE SET value = old.value::bigint + excluded.value::bigint`

async function writeAll(
  statements: Statements,
  batch: Batch,
): Promise<ReadonlyMap<number, readonly NodeName[]>> {
  const nodes = await writeReceipts(statements, batch.entries)
  const events = eventsOf(batch)
  const parts = batch.entries.flatMap((entry) =>
    entry.kind === "parts" ? entry.parts.map((part) => ({ ...part, quarter: entry.quarter })) : [],
  )
  if (events.length + parts.length === 0 && batch.dropped === 0) return nodes
  // From here on, other writers wait: this is the short part.
  const [row, known] = await Promise.all([
    statements.get(LOCK_LOG, events.length),
    statements.all(KNOWN_TURNS, turnsOf(events)),
  ])
  const first = Number(row?.last) - events.length + 1
  await Promise.all([
    ...(events.length === 0 ? [] : [insertEvents(statements, events, first)]),
    addCalls(statements, events, new Set(known.map(({ turn_id }) => String(turn_id)))),
    addParts(statements, parts),
    ...(batch.dropped === 0 ? [] : [statements.run(ADD_DROPPED, String(batch.dropped))]),
  ])
  return nodes
}

async function writeReceipts(
  statements: Statements,
  entries: readonly RecordEntry[],
): Promise<ReadonlyMap<number, readonly NodeName[]>> {
  const placed = [...entries.entries()].flatMap(([at, entry]) =>
    entry.kind === "receipt" ? [{ at, receipt: entry.receipt }] : [],
  )
  if (placed.length === 0) return new Map()
  const paths = await putReceipts(
    statements,
    placed.map(({ receipt }) => receipt),
  )
  return new Map(placed.map(({ at }, place) => [at, paths[place] ?? []]))
}

const NO_PARTITION = "23514"
/** Somebody else holds a lock for too long, or the server gives up on a statement. */
const BUSY: ReadonlySet<string> = new Set(["55P03", "57014", "40001", "40P01"])

function serverCode(error: unknown): string | undefined {
  return codeOf(error instanceof IncipitError ? error.cause : error)
}

/** The server cannot take anything now, whatever it is. */
function isAway(error: unknown): boolean {
  if (error instanceof IncipitError && AWAY.has(error.code)) return true
  return BUSY.has(serverCode(error) ?? "")
}

const AWAY: ReadonlySet<string> = new Set(["unreachable-database", "read-only-database"])

/** Data exceptions, integrity violations and limits of the program: other entries may still be written. */
function isAboutData(error: unknown): boolean {
  const code = serverCode(error)
  return code === undefined ? !(error instanceof IncipitError) : /^(22|23|54)/.test(code)
}
