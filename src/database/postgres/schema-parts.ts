// All parts of a deployment that have tables in PostgreSQL.
import { AGENT_SCHEMA } from "./agent/schema.ts"
import type { SchemaPart } from "./migrations.ts"

export const SCHEMA_PARTS: readonly SchemaPart[] = [AGENT_SCHEMA]
