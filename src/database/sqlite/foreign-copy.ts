// Reads a database that a stranger may have prepared. Opens a private copy, so that SQLite writes nothing beside the
// original and follows none of its journals, and reads it row by row within limits.
import { closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { basename, join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { errorCode, unreadable } from "../../base/system-error.ts"
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
  const file = openFound(path)
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, most))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}

function copyFile(from: string, to: string, { isOptional = false } = {}): void {
  let input: number
  try {
    input = openFound(from)
  } catch (error) {
    if (isOptional && error instanceof IncipitError && errorCode(error.cause) === "ENOENT") return
    throw error
  }
  const output = openSync(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    const chunk = Buffer.alloc(1024 * 1024)
    for (let left = fstatSync(input).size; left > 0; ) {
      const read = readSync(input, chunk, 0, Math.min(left, chunk.length), null)
      if (read === 0) break
      writeSync(output, chunk, 0, read)
      left -= read
    }
  } finally {
    closeSync(input)
    closeSync(output)
  }
}

function openFound(path: string): number {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw unreadable(path, error)
  }
  const stat = fstatSync(file)
  const problem = stat.isFile()
    ? stat.size > MOST_BYTES
      ? "it is too large"
      : undefined
    : "it is not a file"
  if (problem === undefined) return file
  closeSync(file)
  throw new IncipitError("unreadable-file", `cannot read ${path}: ${problem}`)
}
