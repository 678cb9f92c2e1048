// A store's database that survives damage to its file: sets the damaged file aside, replaces it with everything that
// can still be read, and reports it to the operator. Work in progress fails when the damage is found; later work uses
// the new file.
import { existsSync } from "node:fs"
import { IncipitError } from "../../../../base/error.ts"
import { asideNames, moveAside } from "../../damaged.ts"
import type { Database } from "../../database.ts"
import { isDamaged } from "../../failure.ts"
import { type Salvaged, salvage } from "./salvage.ts"

export interface RepairOptions {
  readonly path: string
  /** Opens the file, or creates it. */
  readonly open: () => Database
  readonly now: () => number
  readonly onRepaired: (text: string) => void
}

export function openRepaired({ path, open, now, onRepaired }: RepairOptions): Database {
  const openAndSalvage = (): Database => {
    const database = openedOrNew(path, open)
    for (const aside of asideNames(path)) {
      const found = salvage(aside, database, now())
      if (found !== undefined) onRepaired(repairText(path, aside, found))
    }
    return database
  }
  let current = openAndSalvage()
  let depth = 0
  /** Only the outermost statement repairs: inside a transaction, that one has to be rolled back first. */
  const using = <T>(work: (database: Database) => T): T => {
    depth += 1
    try {
      return work(current)
    } catch (error) {
      if (depth > 1 || !isDamaged(error) || moveAside(path) === undefined) throw error
      current.close()
      current = openAndSalvage()
      throw new IncipitError(
        "unusable-database",
        `${path} was damaged and has been replaced; send the message again`,
        {
          cause: error,
        },
      )
    } finally {
      depth -= 1
    }
  }
  return {
    path,
    run: (sql, ...values) => using((database) => database.run(sql, ...values)),
    all: (sql, ...values) => using((database) => database.all(sql, ...values)),
    get: (sql, ...values) => using((database) => database.get(sql, ...values)),
    each: (sql, ...values) => current.each(sql, ...values),
    transaction: (work) => using((database) => database.transaction(work)),
    size: () => current.size(),
    isGone: () => current.isGone(),
    close: () => current.close(),
  }
}

function openedOrNew(path: string, open: () => Database): Database {
  try {
    return open()
  } catch (error) {
    if (!isDamaged(error) || (moveAside(path) === undefined && existsSync(path))) throw error
    return open()
  }
}

function repairText(path: string, aside: string, { conversations, rows }: Salvaged): string {
  const what =
    rows === 0
      ? "Nothing in it could be recovered, so it was replaced by an empty one."
      : `A new one has what could be recovered: ${conversations} ${conversations === 1 ? "conversation" : "conversations"}, ${rows} rows in all.`
  return `${path} was damaged. ${what} The damaged file is ${aside}; delete it when you no longer need it.`
}
