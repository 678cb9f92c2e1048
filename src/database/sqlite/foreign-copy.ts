// Reads a database that a stranger may have prepared. Opens a private copy, so that SQLite writes nothing beside the
// original and follows none of its journals, and reads it row by row within limits.
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { IncipitError } from "../../base/error.ts"
import { unreadable } from "../../base/system-error.ts"
import { stampAt } from "../../files/identity.ts"
import { realPath } from "../../files/real-path.ts"
import { type Opened, type Refused, readBytes, type SafeFile, withSafeFile } from "../../files/safe-file.ts"
import type { Database, Row } from "./database.ts"
import { openDatabase } from "./open-database.ts"
import type { OwnSchema } from "./own-schema.ts"

export interface CopyOptions extends OwnSchema {
  /** A folder that only the user can access. The copy is made below it and removed afterwards. */
  readonly below: string
}

/** Limits the copy: a sparse file of any size costs its maker nothing. */
const MOST_BYTES = 4 * 1024 ** 3

export function withCopy<T>(path: string, options: CopyOptions, ask: (database: Database) => T): T {
  requireLimits()
  const folder = mkdtempSync(join(options.below, "adopt-"))
  try {
    const database = openDatabase(copyOf(path, folder), options)
    try {
      return ask(database)
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Without them, a file from elsewhere could make SQLite attach other files and cascade as deep as it likes. */
function requireLimits(): void {
  const driver = new DatabaseSync(":memory:")
  const hasLimits = "limits" in driver
  driver.close()
  if (hasLimits) return
  const what = `this is Node ${process.version}, whose SQLite cannot be limited`
  throw new IncipitError("old-node", `cannot adopt a database from elsewhere: ${what}`)
}

function copyOf(path: string, folder: string): string {
  const copy = join(folder, basename(path))
  copyFile(path, copy)
  // The newest rows may still be in the write-ahead log. Other files beside it, such as a journal, are not copied.
  copyFile(`${path}-wal`, `${copy}-wal`, { isOptional: true })
  return copy
}

/** A private copy of another program's database, whose schema is that program's own. */
export interface ForeignDatabase {
  /** Whether there is a table of this name: a view would be code that runs with the question. */
  has(table: string): boolean
  each(sql: string, ...values: readonly (string | number)[]): Iterable<Row>
  /** Removes the copy. */
  close(): void
}

/** The copy is made below this folder. Throws if the file cannot be read, or is no database. */
export function openForeign(path: string, below: string): ForeignDatabase {
  const folder = mkdtempSync(join(below, "incipit-copy-"))
  let driver: DatabaseSync | undefined
  const close = () => {
    if (driver?.isOpen) driver.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    driver = new DatabaseSync(steadyCopy(path, folder), { allowExtension: false })
    driver.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA mmap_size = 0")
    const tables = new Set(
      driver
        .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
        .all()
        .map(({ name }) => String(name)),
    )
    // Open files outlive their names, except on Windows: a process that is killed leaves nothing behind.
    if (process.platform !== "win32") rmSync(folder, { recursive: true, force: true })
    const opened = driver
    return {
      has: (table) => tables.has(table),
      // The driver returns rows of these values: integers too large for a number make it throw.
      each: (sql, ...values) => opened.prepare(sql).iterate(...values) as Iterable<Row>,
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

export interface PrivateCopy {
  readonly path: string
  remove(): void
}

/** The same for what opens the file itself. The copy is made below this folder. Throws if the file cannot be read. */
export function privateCopy(path: string, below: string): PrivateCopy {
  const folder = mkdtempSync(join(below, "incipit-copy-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    return { path: steadyCopy(path, folder), remove }
  } catch (error) {
    remove()
    throw error
  }
}

const COPY_TRIES = 3

/** If the program wrote while its files were copied, the copy may not fit together: it is made again. */
function steadyCopy(path: string, folder: string): string {
  for (let left = COPY_TRIES; ; left -= 1) {
    const stamp = () => `${stampAt(path)} ${stampAt(`${path}-wal`)}`
    const before = stamp()
    const inside = mkdtempSync(join(folder, "try-"))
    const copy = copyOf(path, inside)
    if (stamp() === before || left <= 1) return copy
    rmSync(inside, { recursive: true, force: true })
  }
}

/**
 * Yields a table's rows, up to `most`. SQLite sorts and counts nothing here: in a crafted file, pages may form a loop.
 */
export function* rowsOf(database: Database, table: string, most = MOST_ROWS): Iterable<Row> {
  let count = 0
  for (const row of database.each(`SELECT * FROM ${table}`)) {
    count += 1
    if (count > most)
      throw new IncipitError("unusable-database", `${table} has more than ${most} rows, too many to adopt`)
    yield row
  }
}

const MOST_ROWS = 5_000_000

/** Reads at most `most` bytes of a file that came with the folder, never through a link. */
export function readFound(path: string, most: number): Buffer {
  const found = openFound(path, (file) => readBytes(file, most))
  if (found.kind !== "opened") throw refusal(path, found)
  return found.value
}

function copyFile(from: string, to: string, { isOptional = false } = {}): void {
  const found = openFound(from, (file) => copyTo(to, file))
  if (found.kind === "opened" || (isOptional && found.kind === "absent")) return
  throw refusal(from, found)
}

function copyTo(path: string, { handle, size }: SafeFile): void {
  const output = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    const chunk = Buffer.alloc(1024 * 1024)
    for (let left = size; left > 0; ) {
      const read = readSync(handle, chunk, 0, Math.min(left, chunk.length), null)
      if (read === 0) break
      writeSync(output, chunk, 0, read)
      left -= read
    }
  } finally {
    closeSync(output)
  }
}

function openFound<T>(path: string, use: (file: SafeFile) => T): Opened<T> {
  // The workspace may be reached by a link; the file may not be one.
  const place = join(realPath(dirname(path)), basename(path))
  return withSafeFile(place, { followsLinks: false, mostBytes: MOST_BYTES }, use)
}

function refusal(path: string, found: Exclude<Opened<unknown>, { readonly kind: "opened" }>): IncipitError {
  const code =
    found.kind === "absent"
      ? "ENOENT"
      : found.kind === "unavailable"
        ? found.reason
        : CODES[found.refused.why]
  return unreadable(path, Object.assign(new Error(`the system says ${code}`), { code }))
}

/** The system's codes for the same, which have words. */
const CODES: Readonly<Record<Refused["why"], string>> = {
  link: "ELOOP",
  outside: "ELOOP",
  "not-a-file": "ENXIO",
  "too-large": "EFBIG",
  foreign: "EACCES",
}
