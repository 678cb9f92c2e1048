// The schema of the index beside the stores: what was read from which file, and its units. The index can be deleted at
// any time.
import type { Migration } from "../../database/sqlite/migrations.ts"

/**
 * A shelf is an indexed copy of one store; readers use the live one while a `builder` process fills the next. Each
 * shelf has its own FTS5 table for terms, so that the content of one store does not affect the figures of another. The
 * id of a unit encodes its part, its position in it, whether it asks or says when, and its length: see `unit-id.ts`.
 */
export const MEMORY_MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE shelf (
  id INTEGER PRIMARY KEY,
  store TEXT NOT NULL,
  folder TEXT NOT NULL,
  counter TEXT NOT NULL,
  builder INTEGER NOT NULL,
  live INTEGER NOT NULL
)

CREATE UNIQUE INDEX shelf_live ON shelf (store) WHERE live = 1

CREATE TABLE file (
  id INTEGER PRIMARY KEY,
  shelf INTEGER NOT NULL,
  path TEXT NOT NULL,
  mtime REAL NOT NULL,
  size INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  digest TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  units INTEGER NOT NULL,
  length INTEGER NOT NULL,
  UNIQUE (shelf, path)
)

CREATE TABLE part (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  heading TEXT NOT NULL,
  date TEXT
)

CREATE INDEX part_file ON part (file)

CREATE TABLE unit (
  id INTEGER PRIMARY KEY,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  text TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  digest TEXT NOT NULL,
  date TEXT,
  provenance TEXT
)

CREATE INDEX unit_digest ON unit (digest)`,
  // The way provenance is read has changed, so every file is read again.
  "UPDATE file SET mtime = 0, digest = ''",
  // With 0, every file is compared once by its digest.
  "ALTER TABLE file ADD COLUMN ctime REAL NOT NULL DEFAULT 0",
]

export function termsTable(shelf: number): string {
  return `terms_${shelf}`
}

/** The CREATE statement. Returns undefined for a name that is not one of these tables. */
export function memoryTable(name: string): string | undefined {
  const isTerms = /^terms_[1-9]\d{0,14}$/.test(name)
  // Terms are prepared in advance: each is a single word to this tokenizer.
  return isTerms
    ? `CREATE VIRTUAL TABLE ${name} USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`
    : undefined
}
