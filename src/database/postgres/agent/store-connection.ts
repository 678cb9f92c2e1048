// The connection of the agent's store: transactions, leases and wake-ups. A holder's transaction begins with a lock on the
// row of its session, which also orders everything that is numbered in that session.
import { IncipitError } from "../../../base/error.ts"
import type { Lease } from "../../contract/lease.ts"
import type { WakeKind } from "../../contract/wake.ts"
import type { Row } from "../../rows/row.ts"
import type { Postgres, Statements, TransactionOptions } from "../postgres.ts"

export interface StoreConnection {
  /** For single statements that may run twice. */
  readonly postgres: Postgres
  write<T>(work: (statements: Statements) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * A process that lost its session, but is still running, may write nothing more. `work` need not wait for `held`, the row
   * of the session: if the lease is lost, nothing of it is committed.
   */
  writeAsHolder<T>(lease: Lease, work: (statements: Statements, held: Promise<Row>) => Promise<T>): Promise<T>
}

export function storeConnection(postgres: Postgres): StoreConnection {
  return {
    postgres,
    write: (work, options) => postgres.transaction(work, options),
    writeAsHolder: (lease, work) =>
      postgres.transaction(async (statements) => {
        const held = heldRow(statements, lease)
        const [, result] = await Promise.all([held, work(statements, held)])
        return result
      }),
  }
}

async function heldRow(statements: Statements, lease: Lease): Promise<Row> {
  const row = await statements.get(
    "SELECT owner, fence, state, rebase, last_item FROM sessions WHERE id = $1 FOR NO KEY UPDATE",
    lease.session,
  )
  return heldBy(row, lease)
}

/** `row`: owner and fence of the session. */
export function heldBy(row: Row | undefined, { session, owner, fence }: Lease): Row {
  if (row?.owner === owner && row.fence === fence) return row
  throw new IncipitError("session-lost", `another process has taken over the session ${session}`)
}

/** Transactions that give the same words wait for each other. */
export async function inLine(statements: Statements, ...words: readonly string[]): Promise<void> {
  await statements.get(
    "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || $1, 0))",
    JSON.stringify(words),
  )
}

/** Waits for `inLine` with the same words, but not for others who call this. */
export async function besideLine(statements: Statements, ...words: readonly string[]): Promise<void> {
  await statements.get(
    "SELECT pg_advisory_xact_lock_shared(hashtextextended(current_schema() || $1, 0))",
    JSON.stringify(words),
  )
}

export function wakeChannel(schema: string): string {
  return `incipit_${schema}`
}

/** SQL that wakes listeners when its transaction is committed. `session`: SQL that gives the id of the session. */
export function wakes(kind: WakeKind, session = "''"): string {
  return `pg_notify('incipit_' || current_schema(), '${kind} ' || ${session})`
}
