// Memory documents in PostgreSQL. Versions are assigned under the lock of their part's row, which is held until the
// transaction ends: whoever has seen a version has seen all before it.
import { type Digest, digest } from "../../../base/digest.ts"
import { byCodePoint } from "../../../base/order.ts"
import { isTrust, type Trust } from "../../../base/trust.ts"
import type {
  DocumentChanges,
  DocumentEntry,
  DocumentId,
  DocumentPart,
  Documents,
  NewDocument,
  PartChanges,
  PartVersion,
  StoredDocument,
  Version,
} from "../../contract/memory/documents.ts"
import type { Row } from "../../rows/row.ts"
import { hasSchema, requireSchema } from "../migrations.ts"
import type { Postgres, Statements } from "../postgres.ts"
import { DOCUMENTS_SCHEMA } from "./schema.ts"

/** `agent`: whose documents. Creates their tables if there are none yet. */
export async function openDocuments(postgres: Postgres, agent: string): Promise<Documents> {
  await requireSchema(postgres, DOCUMENTS_SCHEMA)
  return documentsIn(postgres, agent)
}

/** The paths of all documents of an agent. Creates nothing. */
export async function documentPaths(postgres: Postgres, agent: string): Promise<readonly string[]> {
  if (!(await hasSchema(postgres, DOCUMENTS_SCHEMA))) return []
  return (await documentsIn(postgres, agent).list()).map(({ path }) => path)
}

function documentsIn(postgres: Postgres, agent: string): Documents {
  return {
    changes: (since, { others = false } = {}) => changesIn(postgres, agent, { since, others }),
    read: (ids) => readIn(postgres, agent, ids),
    async list() {
      const rows = await postgres.all(
        "SELECT store, needs, path, version, digest, bytes, written_at FROM documents WHERE agent = $1 AND text IS NOT NULL",
        agent,
      )
      return rows
        .map(entryOf)
        .toSorted((a, b) => byCodePoint(a.store, b.store) || byCodePoint(a.path, b.path))
    },
    write: (document, { expects }) =>
      postgres.transaction((statements) => writeIn(statements, agent, document, expects)),
    remove: (id, { expects }) =>
      postgres.transaction(async (statements) => {
        const found = await held(statements, agent, id)
        if (found === undefined || found.digest !== expects) return "conflict"
        return cleared(statements, agent, { ...id, needs: found.needs })
      }),
  }
}

interface Since {
  readonly since: readonly PartVersion[]
  readonly others: boolean
}

/**
 * One statement, so that versions and rows are from one moment. A part without changes is one row, with no path; the
 * index makes the rest as cheap as what has changed.
 */
const CHANGES = `
  WITH asked AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[]) AS a (store, needs, since)),
  part AS (
    SELECT p.store, p.needs, p.version, CASE WHEN a.since <= p.version THEN a.since ELSE 0 END AS since
    FROM document_parts p LEFT JOIN asked a USING (store, needs)
    WHERE p.agent = $1 AND ($5 OR a.store IS NOT NULL)
  )
  SELECT o.id AS origin, part.store, part.needs, part.version, d.path, d.text IS NOT NULL AS present
  FROM document_origin o LEFT JOIN part ON true
    LEFT JOIN documents d ON d.agent = $1 AND d.store = part.store AND d.needs = part.needs AND d.version > part.since`

async function changesIn(
  postgres: Statements,
  agent: string,
  { since, others }: Since,
): Promise<DocumentChanges> {
  const rows = await postgres.all(
    CHANGES,
    agent,
    since.map(({ store }) => store),
    since.map(({ needs }) => needs),
    since.map(({ version }) => version),
    others,
  )
  const found = Map.groupBy(
    rows.filter(({ store }) => store !== null),
    ({ store, needs }) => keyOf(String(store), String(needs)),
  )
  const known = [...found.values()].map(changesOf)
  const empty = since
    .filter(({ store, needs }) => !found.has(keyOf(store, needs)))
    .map(({ store, needs }) => ({ store, needs, version: 0, changed: [], removed: [] }))
  return { origin: String(rows[0]?.origin), parts: [...known, ...empty] }
}

function keyOf(store: string, needs: string): string {
  return `${needs} ${store}`
}

function changesOf(rows: readonly Row[]): PartChanges {
  const [first] = rows
  const paths = (present: boolean) =>
    rows
      .filter((row) => row.path !== null && row.present === present)
      .map(({ path }) => String(path))
      .sort(byCodePoint)
  return {
    ...{ store: String(first?.store), needs: trustOf(first?.needs), version: Number(first?.version) },
    ...{ changed: paths(true), removed: paths(false) },
  }
}

async function readIn(
  postgres: Statements,
  agent: string,
  ids: readonly DocumentId[],
): Promise<readonly StoredDocument[]> {
  if (ids.length === 0) return []
  const rows = await postgres.all(
    `SELECT d.store, d.needs, d.path, d.version, d.digest, d.bytes, d.text, d.written_at
     FROM unnest($2::text[], $3::text[]) AS a (store, path)
       JOIN documents d ON d.agent = $1 AND d.store = a.store AND d.path = a.path AND d.text IS NOT NULL`,
    agent,
    ids.map(({ store }) => store),
    ids.map(({ path }) => path),
  )
  return rows.map((row) => ({ ...entryOf(row), text: String(row.text) }))
}

async function writeIn(
  statements: Statements,
  agent: string,
  { store, path, needs, text }: NewDocument,
  expects: Digest | "absent",
): Promise<Version | "conflict"> {
  const found = await held(statements, agent, { store, path })
  const written = digest(text)
  const isSame = found?.digest === written && found.needs === needs
  if (isSame) return found.version
  // A transaction that was committed, but whose answer was lost, runs again: what it finds is its own text.
  if (found?.digest !== written && (found?.digest ?? "absent") !== expects) return "conflict"
  // Rows are locked in one order, or two documents that change places would wait for each other.
  const old = found !== undefined && found.needs !== needs ? found.needs : undefined
  if (old !== undefined && old < needs) await cleared(statements, agent, { store, path, needs: old })
  const version = await nextVersion(statements, agent, { store, needs })
  if (old !== undefined && old > needs) await cleared(statements, agent, { store, path, needs: old })
  await statements.run(
    `INSERT INTO documents (agent, store, needs, path, version, text, digest, bytes, written_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'sha256:' || encode(sha256(convert_to($6, 'UTF8')), 'hex'), octet_length($6),
       now_ms())
     ON CONFLICT (agent, store, needs, path) DO UPDATE SET version = excluded.version, text = excluded.text,
       digest = excluded.digest, bytes = excluded.bytes, written_at = excluded.written_at`,
    ...[agent, store, needs, path, version, text],
  )
  return version
}

interface Held {
  readonly needs: Trust
  readonly digest: string
  readonly version: Version
}

/** The document as it is now. No other transaction changes it until this one ends, even if it does not exist yet. */
async function held(
  statements: Statements,
  agent: string,
  { store, path }: DocumentId,
): Promise<Held | undefined> {
  const lock = JSON.stringify([agent, store, path])
  await statements.get("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", lock)
  const row = await statements.get(
    "SELECT needs, digest, version FROM documents WHERE agent = $1 AND store = $2 AND path = $3 AND text IS NOT NULL",
    ...[agent, store, path],
  )
  if (row === undefined) return undefined
  return { needs: trustOf(row.needs), digest: String(row.digest), version: Number(row.version) }
}

/** The row stays, for copies that still have the document. */
async function cleared(
  statements: Statements,
  agent: string,
  { store, path, needs }: DocumentId & DocumentPart,
): Promise<Version> {
  const version = await nextVersion(statements, agent, { store, needs })
  await statements.run(
    "UPDATE documents SET version = $5, text = NULL, digest = NULL, bytes = NULL WHERE agent = $1 AND store = $2 AND needs = $3 AND path = $4",
    ...[agent, store, needs, path, version],
  )
  return version
}

async function nextVersion(
  statements: Statements,
  agent: string,
  { store, needs }: DocumentPart,
): Promise<Version> {
  const row = await statements.get(
    `INSERT INTO document_parts AS p (agent, store, needs, version) VALUES ($1, $2, $3, 1)
     ON CONFLICT (agent, store, needs) DO UPDATE SET version = p.version + 1 RETURNING version`,
    ...[agent, store, needs],
  )
  return Number(row?.version)
}

function entryOf(row: Row): DocumentEntry {
  return {
    ...{ store: String(row.store), path: String(row.path), needs: trustOf(row.needs) },
    version: Number(row.version),
    // The database computes it.
    digest: String(row.digest) as Digest,
    ...{ bytes: Number(row.bytes), writtenAt: Number(row.written_at) },
  }
}

/** A level that this version does not know hides the document from all but the owner. */
function trustOf(value: unknown): Trust {
  return isTrust(value) ? value : "full"
}
