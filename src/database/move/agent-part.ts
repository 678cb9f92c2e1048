// The agent's store, as a part of a move.
import { AGENT_SCHEMA } from "../postgres/agent/schema.ts"
import { STORE_MIGRATIONS } from "../sqlite/agent/file/schema.ts"
import { AGENT_TABLES } from "./agent-tables.ts"
import type { MovePart } from "./move-part.ts"

export const AGENT_PART: MovePart = {
  migrations: STORE_MIGRATIONS,
  schema: AGENT_SCHEMA,
  tables: AGENT_TABLES,
}
