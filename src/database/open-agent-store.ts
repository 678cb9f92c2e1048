// Opens the agent's store, wherever it is.
import type { AgentStore } from "./contract/agent-store.ts"
import { openStore, type StoreOptions } from "./sqlite/agent/open-store.ts"

export interface StorePlace {
  /** The URL of a PostgreSQL database; undefined for a file. */
  readonly url?: string | undefined
  /** The SQLite file, or `:memory:`. */
  readonly path: string
}

export async function openAgentStore(
  { url, path }: StorePlace,
  options: StoreOptions = {},
): Promise<AgentStore> {
  if (url === undefined) return openStore(path, options)
  // Only for those who use it, because it takes a while to load.
  const { openPostgresStore } = await import("./postgres/agent/open-store.ts")
  return openPostgresStore(url, { text: options.text })
}
