// Database errors of the agent: caused by the environment, and in some places no reason to stop.
import { IncipitError } from "../../base/error.ts"
import { isFromDatabase } from "../../database/sqlite/failure.ts"

export function isTrouble(error: unknown): error is Error {
  return isFromDatabase(error) || error instanceof IncipitError
}

/** For work that may fail when the database does: a lease that is not written just runs out. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isTrouble(error)) return undefined
    throw error
  }
}
