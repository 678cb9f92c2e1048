// All parts of a deployment that have tables in PostgreSQL.
import { AGENT_SCHEMA } from "./agent/schema.ts"
import { DOCUMENTS_SCHEMA } from "./documents/schema.ts"
import type { SchemaPart } from "./migrations.ts"
import { RECORD_SCHEMA } from "./record/schema.ts"

export const SCHEMA_PARTS: readonly SchemaPart[] = [AGENT_SCHEMA, RECORD_SCHEMA, DOCUMENTS_SCHEMA]
