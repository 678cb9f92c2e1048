// Failures of a database: caused by the environment, and in some places no reason to stop.
import { type ErrorCode, IncipitError } from "../base/error.ts"
import { isFromDatabase } from "./sqlite/failure.ts"

export function isTrouble(error: unknown): error is Error {
  return isFromDatabase(error) || error instanceof IncipitError
}

/** Codes of failures that are the store's, and nobody else's fault. */
const OF_STORE: ReadonlySet<ErrorCode> = new Set([
  ...(["session-lost", "unusable-database", "unreachable-database", "read-only-database"] as const),
  "database-rights",
])

export function isOfStore(error: unknown): boolean {
  return error instanceof IncipitError && OF_STORE.has(error.code)
}

/** For work that may fail when the database does: a lease that is not written just runs out. */
export async function quietly<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isTrouble(error)) return undefined
    throw error
  }
}
