// Opens the agent's store in PostgreSQL.
import type { AgentStore } from "../../contract/agent-store.ts"
import { requireSchema } from "../migrations.ts"
import { refuseUnfinishedMove } from "../moves.ts"
import { openPostgres, type PostgresOptions } from "../open-postgres.ts"
import { agentStoreIn } from "./agent-store.ts"
import { AGENT_SCHEMA } from "./schema.ts"

/** Creates the tables if there are none. Its clock is that of the server. */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<AgentStore> {
  const postgres = await openPostgres(url, options)
  try {
    await requireSchema(postgres, AGENT_SCHEMA)
    await refuseUnfinishedMove(postgres)
    return agentStoreIn(postgres)
  } catch (error) {
    await postgres.close()
    throw error
  }
}
