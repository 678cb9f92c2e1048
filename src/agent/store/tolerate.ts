// Trouble with a database of the agent's: nobody's mistake, and for some things no reason to stop.
import { IncipitError } from "../../base/error.ts"
import { isFromDatabase } from "../../database/sqlite/failure.ts"

export function isTrouble(error: unknown): error is Error {
  return isFromDatabase(error) || error instanceof IncipitError
}

/** For what may be left undone when there is trouble: a lease that is not written runs out by itself. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isTrouble(error)) return undefined
    throw error
  }
}
