// Runs statements and transactions on a pool of connections. What was interrupted by a lost connection or a deadlock runs
// again. If the connection is lost during a COMMIT, the server is asked what became of that transaction, so that nothing
// is done twice.
import type { Pool, PoolClient } from "pg"
import { IncipitError } from "../../base/error.ts"
import { backOff, patiently } from "./back-off.ts"
import type { DatabaseUrl } from "./database-url.ts"
import { LIMITS, type Limits, LONG_LIMITS, settingsOf } from "./driver.ts"
import { codeOf, hasCollided, isLost, isReadOnly } from "./failure.ts"
import type { TransactionOptions } from "./postgres.ts"
import type { RunStatement } from "./statements.ts"
import { type Committed, statementOn, transactionOn } from "./transaction.ts"

export interface PatientPoolOptions {
  readonly pool: Pool
  readonly url: DatabaseUrl
  readonly text: (text: string) => string
  /** Whether connections have their settings from the start. */
  readonly hasOptions: boolean
}

export interface PatientPool {
  readonly statement: RunStatement
  transaction<T>(work: (run: RunStatement) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** After the work that is under way. */
  close(): Promise<void>
}

/** Less than the length of a lease, so that who holds one learns of it in time. */
const PATIENCE_MS = 20_000

export function createPatientPool({ pool, url, text, hasOptions }: PatientPoolOptions): PatientPool {
  const closing = new AbortController()
  const { signal } = closing
  const tryAgain = <T>(work: () => Promise<T>) => {
    const mayTryAgain = (error: unknown) => isLost(error) || hasCollided(error)
    return patiently(work, { forMs: PATIENCE_MS, mayTryAgain, signal })
  }
  const connected = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    if (signal.aborted) throw new IncipitError("unusable-database", `${url.shown} is closed`)
    return withConnection(pool, work)
  }
  const settings = (limits: Limits) =>
    Object.entries(hasOptions && limits === LIMITS ? {} : settingsOf(url, limits))
      .map(([name, value]) => `SET LOCAL ${name} = '${value}';`)
      .join(" ")
  const settled = async <T>(committed: Committed<T>): Promise<T> => {
    if (committed.kind === "done") return committed.result
    const fate = await tryAgain(() => fateOf(pool, committed.id, signal))
    if (fate === "committed") return committed.result
    // The server has undone it, so it may run again.
    if (fate === "aborted") throw committed.cause
    throw new IncipitError(
      "unreachable-database",
      `the connection to ${url.shown} was lost while a change was saved, and the server cannot say whether it was`,
    )
  }
  return {
    // Where connections have no settings of their own, a statement needs a transaction to have them in.
    statement: (sql, values) =>
      tryAgain(async () => {
        if (hasOptions)
          return connected((client) => statementOn(client, { text, limits: LIMITS })(sql, values))
        const options = { preamble: `BEGIN; ${settings(LIMITS)}`, limits: LIMITS, text }
        const committed = await connected((client) =>
          transactionOn(client, (run) => run(sql, values), options),
        )
        return committed.result
      }),
    transaction: (work, { isLong = false } = {}) =>
      tryAgain(async () => {
        const limits = isLong ? LONG_LIMITS : LIMITS
        const preamble = `BEGIN; ${settings(limits)} ${BEGUN}`
        return settled(await connected((client) => transactionOn(client, work, { preamble, limits, text })))
      }),
    async close() {
      closing.abort()
      if (!pool.ending) await pool.end()
    },
  }
}

async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    // After a failover, a new connection may reach the server that takes changes.
    client.release(isLost(error) || isReadOnly(error))
    throw error
  }
}

const FATE_TRIES = 10

/** A transaction, and when its server was started. */
const STARTED = "extract(epoch FROM pg_postmaster_start_time())::text"
const BEGUN = `SELECT pg_current_xact_id()::text || ' ' || ${STARTED} AS id`
const FATE = `SELECT pg_xact_status($1::text::xid8) AS fate, ${STARTED} = $2 AS same`
/** For an id that no transaction has yet. */
const NOT_GIVEN = "22023"

/** `committed`, `aborted`; `in progress` if the server doesn't notice that its client is gone; null if it forgot. */
async function fateOf(pool: Pool, begun: string, signal: AbortSignal): Promise<unknown> {
  for (let attempt = 0; ; attempt += 1) {
    const found = await pool.query(FATE, begun.split(" ")).catch(notGiven)
    const [row] = found?.rows ?? []
    if (row === undefined) return "aborted"
    // After a crash, ids that did not reach the disk are given again: what was committed may be another transaction.
    if (row.same !== true) return row.fate === "committed" ? undefined : "aborted"
    if (row.fate !== "in progress" || attempt >= FATE_TRIES) return row.fate
    await backOff(attempt, signal)
  }
}

function notGiven(error: unknown): undefined {
  if (codeOf(error) !== NOT_GIVEN) throw error
}
