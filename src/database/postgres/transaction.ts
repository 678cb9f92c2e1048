// One statement, or one transaction, on one connection.
import type { ClientBase, QueryConfig, QueryResult } from "pg"
import type { Row } from "../rows/row.ts"
import { type Limits, silenceMs } from "./driver.ts"
import { isLost } from "./failure.ts"
import { givenValues, type RunStatement } from "./statements.ts"

export interface StatementOptions {
  readonly limits: Limits
  readonly text: (text: string) => string
}

export interface TransactionSteps extends StatementOptions {
  /** Begins the transaction. The last statement in it may return the transaction's id. */
  readonly preamble: string
}

export type Committed<T> =
  | { readonly kind: "done"; readonly result: T }
  /** The connection was lost during the COMMIT. */
  | { readonly kind: "unknown"; readonly result: T; readonly id: string; readonly cause: unknown }

export function statementOn(client: ClientBase, { limits, text }: StatementOptions): RunStatement {
  return async (sql, values) => {
    const config: QueryConfig & { readonly query_timeout: number } = {
      ...{ text: sql, values: givenValues(values, text), query_timeout: silenceMs(limits) },
    }
    const { rows, rowCount } = await client.query(config)
    // The driver's parsers make only these kinds of values of the types that our tables have.
    return { rows: rows as readonly Row[], changes: rowCount ?? 0 }
  }
}

export async function transactionOn<T>(
  client: ClientBase,
  work: (run: RunStatement) => Promise<T>,
  { preamble, ...options }: TransactionSteps,
): Promise<Committed<T>> {
  const begun = client.query(preamble)
  // The first statement does not wait for it; a failure shows there, or below.
  begun.catch(() => {})
  let result: T
  let id: string | undefined
  try {
    result = await work(statementOn(client, options))
    id = idIn(await begun)
  } catch (error) {
    await rollBack(client, error)
    throw error
  }
  try {
    await commit(client)
    return { kind: "done", result }
  } catch (cause) {
    if (id === undefined || !isLost(cause)) throw cause
    return { kind: "unknown", result, id, cause }
  }
}

/** Several statements in one text have several results. */
function idIn(begun: QueryResult | readonly QueryResult[]): string | undefined {
  const last = Array.isArray(begun) ? begun.at(-1) : begun
  return last?.rows[0]?.id
}

async function rollBack(client: ClientBase, error: unknown): Promise<void> {
  if (isLost(error)) return
  // If this fails, the connection is gone, and the transaction with it.
  await client.query("ROLLBACK").catch(() => {})
}

async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query("COMMIT")
  // The server answers so if a statement has failed, whatever became of its error.
  if (command === "ROLLBACK") throw new Error("the transaction was rolled back: one of its statements failed")
}
