// A database that refuses to write once its file is gone.
import { IncipitError } from "../../../../base/error.ts"
import type { Database } from "../../database.ts"

/** Writes to a deleted file are lost, so they must not be reported as stored. */
export function stillThere(database: Database): Database {
  const check = () => {
    if (!database.isGone()) return
    throw new IncipitError(
      "unusable-database",
      `${database.path} was deleted or replaced while it was in use`,
    )
  }
  let isWithin = false
  const checked = <T>(work: () => T): T => {
    if (isWithin) return work()
    check()
    isWithin = true
    try {
      const result = work()
      check()
      return result
    } finally {
      isWithin = false
    }
  }
  return {
    ...database,
    run: (sql, ...values) => checked(() => database.run(sql, ...values)),
    transaction: (work) => checked(() => database.transaction(work)),
  }
}
