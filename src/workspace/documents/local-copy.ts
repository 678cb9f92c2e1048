// The local copy of documents that are in a database: files in the layout of the agent's folder, and a table of which
// version each is. Several processes may use one copy, and it may be deleted at any time.
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Digest } from "../../base/digest.ts"
import { isTrust } from "../../base/trust.ts"
import type {
  DocumentChanges,
  DocumentPart,
  PartChanges,
  PartVersion,
  StoredDocument,
} from "../../database/contract/memory/documents.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { isDamaged } from "../../database/sqlite/failure.ts"
import type { Migration } from "../../database/sqlite/migrations.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import { stampAt } from "../../files/identity.ts"
import { replaceFile } from "../../files/replace-file.ts"
import { documentStore } from "../../sources/documents.ts"

const MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE origin (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL
)

CREATE TABLE part (
  store TEXT NOT NULL,
  needs TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (store, needs)
)

CREATE TABLE copy (
  path TEXT PRIMARY KEY,
  store TEXT NOT NULL,
  needs TEXT NOT NULL,
  version INTEGER NOT NULL,
  digest TEXT NOT NULL,
  stamp TEXT NOT NULL
)`,
]

/** A larger text is data, not a document: no reader would open it. */
const MOST_BYTES = 1024 * 1024

/** What was asked of the database, and what it answered. */
export interface Fetched {
  readonly since: readonly PartVersion[]
  readonly changes: DocumentChanges
  readonly documents: readonly StoredDocument[]
}

export interface LocalCopy {
  /** How far the copy is. Forgets everything if it was made from another database. */
  versions(parts: readonly DocumentPart[], origin?: string): readonly PartVersion[]
  origin(): string | undefined
  /** All parts that something was copied from. */
  parts(): readonly DocumentPart[]
  /** Writes some of the documents that `apply` will need, so that it has little left to do at once. */
  prepare(fetched: Fetched): void
  apply(fetched: Fetched): void
  /** Of the text in the database that a file was copied from. */
  digestOf(path: string): Digest | undefined
  close(): void
}

/** `folder`: a real path. */
export function openLocalCopy(folder: string): LocalCopy {
  return new OpenCopy(folder)
}

class OpenCopy implements LocalCopy {
  readonly #folder: string
  readonly #path: string
  #database: Database | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, "copy.db")
  }

  versions(parts: readonly DocumentPart[], origin?: string): readonly PartVersion[] {
    return this.#sound((database) =>
      database.transaction(() => {
        if (origin !== undefined && originIn(database) !== origin) this.#begin(database, origin)
        return parts.map((part) => ({ ...part, version: versionIn(database, part) }))
      }),
    )
  }

  origin(): string | undefined {
    return this.#sound(originIn)
  }

  parts(): readonly DocumentPart[] {
    const rows = this.#sound((database) => database.all("SELECT store, needs FROM part"))
    return rows.flatMap(({ store, needs }) => (isTrust(needs) ? [{ store: String(store), needs }] : []))
  }

  prepare({ since, changes, documents }: Fetched): void {
    const asked = new Map(since.map((part) => [partKey(part), part.version]))
    const parts = new Map(changes.parts.map((part) => [partKey(part), part]))
    this.#sound((database) =>
      database.transaction(() => {
        if (originIn(database) !== changes.origin) return
        for (const document of documents) {
          const part = parts.get(partKey(document))
          const isLate = part === undefined || part.version < (asked.get(partKey(part)) ?? 0)
          if (!isLate && versionIn(database, part) <= part.version) this.#put(database, document, false)
        }
      }),
    )
  }

  apply({ since, changes, documents }: Fetched): void {
    const asked = new Map(since.map((part) => [partKey(part), part.version]))
    const texts = new Map(documents.map((document) => [document.path, document]))
    this.#sound((database) =>
      // The lock between processes. Files are written before the table says so: if this one dies, the next writes them
      // again.
      database.transaction(() => {
        // Another process has begun a copy of another database.
        if (originIn(database) !== changes.origin) return
        for (const part of changes.parts)
          this.#applyPart(database, part, { texts, asked: asked.get(partKey(part)) ?? 0 })
      }),
    )
  }

  digestOf(path: string): Digest | undefined {
    const row = this.#sound((database) => database.get("SELECT digest FROM copy WHERE path = ?", path))
    // Only `#put` writes it.
    return row === undefined ? undefined : (String(row.digest) as Digest)
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }

  #applyPart(
    database: Database,
    part: PartChanges,
    { texts, asked }: { readonly texts: ReadonlyMap<string, StoredDocument>; readonly asked: number },
  ): void {
    const local = versionIn(database, part)
    const wentBack = part.version < asked
    // Another process was faster, or the database went back and another process has seen it.
    if (wentBack ? local !== asked : local > part.version) return
    const { store, needs, changed, removed } = part
    const isWhole = asked === 0 || wentBack
    const known = isWhole ? copiesOf(database, part) : []
    const gone = known.filter((path) => !changed.includes(path))
    for (const path of [...removed, ...gone]) this.#drop(database, path, part)
    for (const path of changed) {
      const document = texts.get(path)
      // It was removed or moved since; the next look finds where it is.
      if (document === undefined || document.needs !== needs || document.store !== store)
        this.#drop(database, path, part)
      else this.#put(database, document, wentBack)
    }
    database.run(
      "INSERT INTO part (store, needs, version) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET version = excluded.version",
      ...[store, needs, part.version],
    )
  }

  #put(database: Database, document: StoredDocument, isAnyVersion: boolean): void {
    const { store, path, needs, version, text, digest, bytes } = document
    // Nothing that a database says is written to any other place.
    if (documentStore(path) !== store || bytes > MOST_BYTES) return
    const row = database.get("SELECT needs, version, stamp FROM copy WHERE path = ?", path)
    const full = join(this.#folder, path)
    if (
      !isAnyVersion &&
      row?.needs === needs &&
      Number(row.version) >= version &&
      row.stamp === stampAt(full)
    )
      return
    replaceFile({ path: full, before: "any", after: Buffer.from(text), mode: 0o600, isCopy: true })
    database.run(
      "INSERT INTO copy (path, store, needs, version, digest, stamp) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET store = excluded.store, needs = excluded.needs, version = excluded.version, digest = excluded.digest, stamp = excluded.stamp",
      ...[path, store, needs, version, digest, stampAt(full) ?? ""],
    )
  }

  /** Unless the copy is of another part, to which the document has moved. */
  #drop(database: Database, path: string, { store, needs }: DocumentPart): void {
    const row = database.get("SELECT store, needs FROM copy WHERE path = ?", path)
    if (row?.store !== store || row.needs !== needs) return
    rmSync(join(this.#folder, path), { force: true })
    database.run("DELETE FROM copy WHERE path = ?", path)
  }

  /** Of another database, nothing counts. */
  #begin(database: Database, origin: string): void {
    for (const { path } of database.all("SELECT path FROM copy"))
      if (documentStore(String(path)) !== undefined) rmSync(join(this.#folder, String(path)), { force: true })
    database.run("DELETE FROM copy")
    database.run("DELETE FROM part")
    database.run(
      "INSERT INTO origin (one, id) VALUES (1, ?) ON CONFLICT DO UPDATE SET id = excluded.id",
      origin,
    )
  }

  /** Runs `work` on the table. Begins anew if it is damaged: the database has everything that is in it. */
  #sound<T>(work: (database: Database) => T): T {
    try {
      return work(this.#opened())
    } catch (error) {
      if (!isDamaged(error)) throw error
      this.close()
      for (const end of ["", "-wal", "-shm"]) rmSync(this.#path + end, { force: true })
      return work(this.#opened())
    }
  }

  #opened(): Database {
    if (this.#database !== undefined && !this.#database.isGone()) return this.#database
    this.close()
    const database = openDatabase(this.#path, { migrations: MIGRATIONS })
    this.#database = database
    database.transaction(() => forgetChanged(database, this.#folder))
    return database
  }
}

/** A part with a file that is missing or was changed here is copied again. */
function forgetChanged(database: Database, folder: string): void {
  for (const row of database.all("SELECT path, store, needs, stamp FROM copy"))
    if (stampAt(join(folder, String(row.path))) !== row.stamp)
      database.run("DELETE FROM part WHERE store = ? AND needs = ?", row.store ?? "", row.needs ?? "")
}

function originIn(database: Database): string | undefined {
  const row = database.get("SELECT id FROM origin")
  return row === undefined ? undefined : String(row.id)
}

function versionIn(database: Database, { store, needs }: DocumentPart): number {
  return Number(
    database.get("SELECT version FROM part WHERE store = ? AND needs = ?", store, needs)?.version ?? 0,
  )
}

function copiesOf(database: Database, { store, needs }: DocumentPart): readonly string[] {
  const rows = database.all("SELECT path FROM copy WHERE store = ? AND needs = ?", store, needs)
  return rows.map(({ path }) => String(path))
}

export function partKey({ store, needs }: DocumentPart): string {
  return `${needs} ${store}`
}
