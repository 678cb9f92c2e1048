// Writes batches into the record's file, each in one transaction. If something in a batch cannot be written, the rest
// still is. A damaged file is moved aside, and a new one begins.
import type { Appended, Batch, RecordEntry } from "../../contract/record/batch.ts"
import type { PartCost } from "../../contract/record/costs.ts"
import type { NodeName } from "../../contract/record/receipts.ts"
import { moveAside } from "../damaged.ts"
import type { Database } from "../database.ts"
import { isAboutData, isBusy, isDamaged, retryBlocking } from "../failure.ts"
import { addCalls } from "./call-sums.ts"
import { addToFact, setFact } from "./facts.ts"
import { indexTexts, insertEvent, lastEventId } from "./insert.ts"
import { putReceipt } from "./put-receipt.ts"
import type { RecordFile } from "./record-file.ts"

/** How long writing may block this process. */
const SLICE_MS = 8
/** How long a process that ends waits for another one to unlock the file. */
const EXIT_WAIT_MS = 1_000

type Written = Extract<Appended, { kind: "written" }>

export function appendTo(file: RecordFile): (batch: Batch) => Appended {
  let movedTo: string | undefined
  /** What the caller was not told yet. */
  let damaged: Written["damaged"]
  const committed = (batch: Batch): Written => {
    const written = commitOnce(file.opened(), batch, movedTo)
    const told = { ...written, damaged }
    damaged = undefined
    return told
  }
  const commit = (batch: Batch): Written => {
    try {
      return committed(batch)
    } catch (error) {
      if (!isDamaged(error)) throw error
      file.letGo()
      movedTo = moveAside(file.path) ?? movedTo
      damaged = { movedTo, why: error instanceof Error ? error.message : String(error) }
      return committed(batch)
    }
  }
  return (batch) => {
    try {
      return batch.isLast ? retryBlocking(() => commit(batch), EXIT_WAIT_MS) : commit(batch)
    } catch (error) {
      if (isBusy(error) && !batch.isLast) return { kind: "locked" }
      file.letGo()
      throw error
    }
  }
}

function commitOnce(database: Database, batch: Batch, movedTo: string | undefined): Written {
  const transaction = <T>(write: () => T): T =>
    database.transaction(() => {
      const last = lastEventId(database)
      const written = write()
      indexTexts(database, last)
      addCalls(database, last)
      if (batch.dropped > 0) addToFact(database, "dropped", batch.dropped)
      if (movedTo !== undefined) setFact(database, "damaged", movedTo)
      return written
    })
  try {
    return transaction(() => writeSome(database, batch))
  } catch (error) {
    if (!isAboutData(error)) throw error
    return transaction(() => writeEach(database, batch))
  }
}

/** Writes entries for a moment, at least one. */
function writeSome(database: Database, { entries, isLast = false }: Batch): Written {
  const start = performance.now()
  const nodes = new Map<number, readonly NodeName[]>()
  let count = 0
  for (const entry of entries) {
    if (count > 0 && !isLast && performance.now() - start > SLICE_MS) break
    writeEntry(database, entry, (path) => nodes.set(count, path))
    count += 1
  }
  return { kind: "written", count, failures: [], nodes }
}

/** Slower, but an entry that cannot be written fails alone. */
function writeEach(database: Database, { entries }: Batch): Written {
  const failures: unknown[] = []
  const nodes = new Map<number, readonly NodeName[]>()
  for (const [at, entry] of entries.entries()) {
    database.run("SAVEPOINT entry")
    try {
      writeEntry(database, entry, (path) => nodes.set(at, path))
    } catch (error) {
      if (!isAboutData(error)) throw error
      failures.push(error)
      database.run("ROLLBACK TO entry")
    }
    database.run("RELEASE entry")
  }
  return { kind: "written", count: entries.length, failures, nodes }
}

function writeEntry(
  database: Database,
  entry: RecordEntry,
  keep: (nodes: readonly NodeName[]) => void,
): void {
  if (entry.kind === "event") insertEvent(database, entry.row)
  else if (entry.kind === "receipt") keep(putReceipt(database, entry.receipt))
  else for (const part of entry.parts) addPart(database, entry.quarter, part)
}

const ADD = `INSERT INTO section_costs (quarter, section, path, fresh, cache_read, cache_write, output, unpriced, cost_usd)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET fresh = fresh + excluded.fresh, cache_read = cache_read + excluded.cache_read,
  cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
  unpriced = unpriced + excluded.unpriced, cost_usd = cost_usd + excluded.cost_usd`

function addPart(database: Database, quarter: number, part: PartCost): void {
  const { section, path, fresh, cacheRead, cacheWrite, output, unpriced, costUsd } = part
  database.run(ADD, quarter, section, path, fresh, cacheRead, cacheWrite, output, unpriced, costUsd)
}
