// Reads a database that a stranger may have prepared. Opens a private copy, so that SQLite writes nothing beside the
// original and follows none of its journals, and reads it row by row within limits.
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { unreadable } from "../../base/system-error.ts"
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
  const folder = mkdtempSync(join(options.below, "adopt-"))
  try {
    const copy = join(folder, basename(path))
    copyFile(path, copy)
    // The newest rows may still be in the write-ahead log. Other files beside it, such as a journal, are not copied.
    copyFile(`${path}-wal`, `${copy}-wal`, { isOptional: true })
    const database = openDatabase(copy, options)
    try {
      return ask(database)
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
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
