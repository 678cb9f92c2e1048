// The tables of memory documents in PostgreSQL. A row of `documents` is the last state of a path in one part: a document
// that was removed or moved to another part stays as a row without text, so that copies elsewhere learn of it.
import type { SchemaPart } from "../migrations.ts"

export const DOCUMENTS_SCHEMA: SchemaPart = {
  name: "memory",
  migrations: [
    `CREATE TABLE document_origin (
  id text NOT NULL DEFAULT gen_random_uuid()::text,
  one boolean PRIMARY KEY DEFAULT true CHECK (one)
);
INSERT INTO document_origin DEFAULT VALUES;

CREATE TABLE document_parts (
  agent text NOT NULL,
  store text NOT NULL,
  needs text NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (agent, store, needs)
);

CREATE TABLE documents (
  agent text NOT NULL,
  store text NOT NULL,
  needs text NOT NULL,
  path text NOT NULL,
  version bigint NOT NULL,
  text text,
  digest text,
  bytes integer,
  written_at bigint NOT NULL,
  PRIMARY KEY (agent, store, needs, path)
);
CREATE UNIQUE INDEX documents_present ON documents (agent, store, path) WHERE text IS NOT NULL;
CREATE INDEX documents_changed ON documents (agent, store, needs, version)`,
  ],
}
