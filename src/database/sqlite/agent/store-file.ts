// The file of the agent's store: reads, transactions and leases. Work on it is synchronous inside and asynchronous only
// here, at the edge.
import { IncipitError } from "../../../base/error.ts"
import type { Lease } from "../../contract/lease.ts"
import { type BusyLine, createBusyLine } from "../busy-line.ts"
import type { Database } from "../database.ts"
import { isFromDatabase } from "../failure.ts"

export interface StoreFile {
  readonly database: Database
  readonly now: () => number
  read<T>(work: () => T): Promise<T>
  /** Runs `work` in one transaction. */
  write<T>(work: () => T): Promise<T>
  readAsHolder<T>(lease: Lease, work: () => T): Promise<T>
  /** A process that lost its session, but is still running, may write nothing more. */
  writeAsHolder<T>(lease: Lease, work: () => T): Promise<T>
  /** After the work that waits for a lock. */
  close(): Promise<void>
}

export function storeFile(database: Database, now: () => number): StoreFile {
  // A locked file can still be read, so what reads does not wait behind what writes.
  const [reads, writes] = [createBusyLine(), createBusyLine()]
  let isClosed = false
  const atEdge = async <T>(inLine: BusyLine, work: () => T): Promise<T> => {
    if (isClosed) throw new IncipitError("unusable-database", `${database.path} is closed`)
    try {
      return await inLine(work)
    } catch (error) {
      if (error instanceof IncipitError || !isFromDatabase(error)) throw error
      throw new IncipitError("unusable-database", `cannot use ${database.path}: ${error.message}`, {
        cause: error,
      })
    }
  }
  const write = <T>(work: () => T) => atEdge(writes, () => database.transaction(work))
  return {
    database,
    now,
    read: (work) => atEdge(reads, work),
    write,
    readAsHolder: (lease, work) =>
      atEdge(reads, () => {
        checkLease(database, lease)
        return work()
      }),
    writeAsHolder: (lease, work) =>
      write(() => {
        checkLease(database, lease)
        return work()
      }),
    async close() {
      if (isClosed) return
      const closed = atEdge(writes, () => database.close())
      isClosed = true
      await closed
    },
  }
}

function checkLease(database: Database, { session, owner, fence }: Lease): void {
  const row = database.get("SELECT owner, fence FROM sessions WHERE id = ?", session)
  if (row?.owner === owner && row.fence === fence) return
  throw new IncipitError("session-lost", `another process has taken over the session ${session}`)
}
