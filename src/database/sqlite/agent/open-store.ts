// Opens the file of the agent's store in SQLite.
import type { AgentStore } from "../../contract/agent-store.ts"
import { retryWhileBusy } from "../failure.ts"
import { openDatabase } from "../open-database.ts"
import { agentStoreIn } from "./agent-store.ts"
import { openRepaired, type RepairOptions } from "./file/repaired-store.ts"
import { STORE_MIGRATIONS } from "./file/schema.ts"
import { stillThere } from "./file/still-there.ts"

export interface StoreOptions {
  /** The store's clock. */
  readonly now?: () => number
  /** Removes what must never be in the file, such as keys, from every text that is written. */
  readonly text?: (text: string) => string
  /** Called if the file was damaged, with what became of it. Without it, a damaged file is refused. */
  readonly onRepaired?: RepairOptions["onRepaired"]
  readonly readOnly?: boolean
}

/** How long SQLite itself waits for another process, blocking this one. `busy-line.ts` waits longer, without blocking. */
const BLOCKED_MS = 5

/**
 * Opens an agent's store in SQLite. Creates the file if it does not exist. `:memory:` opens a store that is gone when
 * it is closed.
 */
export async function openStore(path: string, options: StoreOptions = {}): Promise<AgentStore> {
  const { now = () => Date.now(), text, onRepaired, readOnly = false } = options
  const open = () =>
    openDatabase(path, {
      ...{ migrations: STORE_MIGRATIONS, wait: BLOCKED_MS, readOnly },
      ...(text && { text }),
    })
  const database = await retryWhileBusy(() =>
    onRepaired === undefined ? open() : openRepaired({ path, open, now, onRepaired }),
  )
  return agentStoreIn(readOnly ? database : stillThere(database), now)
}
