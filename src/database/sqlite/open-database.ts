// Opens a SQLite file as a `Database`. The only file that knows the driver. Several processes may have the database
// open at once.
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs"
import { dirname } from "node:path"
import process from "node:process"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { IncipitError } from "../../base/error.ts"
import { systemReason } from "../../base/system-error.ts"
import { identityAt } from "../../files/identity.ts"
import type { Database, Row, Value } from "./database.ts"
import { isUnopenable, retryBlocking } from "./failure.ts"
import { refuseNamedJournal } from "./journal.ts"
import { type Migration, migrate } from "./migrations.ts"
import { checkSchema, type OwnSchema } from "./own-schema.ts"

export interface DatabaseOptions extends OwnSchema {
  readonly readOnly?: boolean
  /**
   * Fails as busy if anyone else has the file open, and keeps everyone else out until it is closed. Nothing in the file is
   * changed: all that is done, migrations included, is one transaction that closing undoes.
   */
  readonly alone?: boolean
  /** How long a statement waits for another process, in milliseconds. */
  readonly wait?: number
  /** Applied to every text on its way into the file: the last place where a secret can be removed. */
  readonly text?: (text: string) => string
}

const DEFAULT_WAIT_MS = 5_000
/**
 * The log size, in pages, that triggers a checkpoint, and what the log keeps afterwards. High, because most pages
 * change again and again.
 */
const LOG_PAGES = 4_000
const LOG_BYTES = LOG_PAGES * 4096

/** Page cache size: the indexes of a million events are read at many places at once. */
const CACHE_KB = 16 * 1024

export function openDatabase(path: string, options: DatabaseOptions): Database {
  const { readOnly = false, alone = false, wait = DEFAULT_WAIT_MS, text = (given) => given } = options
  try {
    if (path !== ":memory:" && !readOnly) makePrivate(path)
    // SQLite would block on a pipe.
    if (statSync(path, { throwIfNoEntry: false })?.isFIFO())
      throw new IncipitError("unusable-database", `cannot open ${path}: it is not a file`)
    refuseNamedJournal(path)
    // When several processes create the same file at once, SQLite fails without using the busy timeout.
    return retryBlocking(() => openOnce(path, { ...options, readOnly, alone, wait, text }), wait)
  } catch (error) {
    if (error instanceof IncipitError) throw error
    const why = systemReason(error)
    throw new IncipitError("unusable-database", `cannot open ${path}: ${why}`, { cause: error })
  }
}

/**
 * Conversations must not be readable by other users. SQLite gives its log the mode of the database file. A folder from
 * elsewhere may contain a link or a pipe with that name: SQLite would write through the link and block on the pipe.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    tighten(file)
  } finally {
    closeSync(file)
  }
}

/** The file may already exist with a wider mode. */
function tighten(file: number): void {
  const { mode, uid } = fstatSync(file)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) fchmodSync(file, 0o600)
}

/** Limits what a file can make SQLite do: attach one more file for VACUUM, and cascade one level. */
const GUARDED = { defensive: true, limits: { attach: 1, triggerDepth: 4 } } as const

type OpenOptions = OwnSchema & Required<Pick<DatabaseOptions, "readOnly" | "alone" | "wait" | "text">>

function openOnce(path: string, options: OpenOptions): Database {
  const { migrations, readOnly, alone, wait, text } = options
  const driver = readOnly ? openReader(path) : new DatabaseSync(path, GUARDED)
  try {
    // Set this first: each of the following statements may meet another process.
    driver.exec(`PRAGMA busy_timeout = ${wait}`)
    driver.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    if (alone) driver.exec("PRAGMA locking_mode = EXCLUSIVE")
    checkSchema(driver, path, options)
    const database = wrap(path, driver, text)
    if (alone) return undoneAtClose(database, driver, migrations)
    if (!readOnly) {
      if (!isIncremental(driver)) driver.exec("PRAGMA auto_vacuum = INCREMENTAL")
      driver.exec("PRAGMA journal_mode = WAL")
      driver.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA journal_size_limit = ${LOG_BYTES}`)
    }
    // With WAL, committed data survives a crash of the process; only a power loss could lose it.
    driver.exec(`PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KB}`)
    migrate(database, migrations, readOnly)
    return database
  } catch (error) {
    driver.close()
    throw error
  }
}

/** Closing a connection undoes the transaction that is open. */
function undoneAtClose(database: Database, driver: DatabaseSync, migrations: readonly Migration[]): Database {
  // What a process has left in the log when it was killed belongs to the file. Afterwards, the file itself stays as it is.
  driver.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  driver.exec("BEGIN IMMEDIATE")
  const within: Database = { ...database, transaction: (work) => work() }
  migrate(within, migrations, false)
  return within
}

/** Setting it again would wait for another process that writes. */
function isIncremental(driver: DatabaseSync): boolean {
  return driver.prepare("PRAGMA auto_vacuum").get()?.auto_vacuum === 2
}

/** In a read-only folder, SQLite opens a file only if it is declared immutable, which needs a file without a log. */
function openReader(path: string): DatabaseSync {
  const driver = new DatabaseSync(path, { ...GUARDED, readOnly: true })
  try {
    driver.prepare("PRAGMA schema_version").get()
    return driver
  } catch (error) {
    if (!isUnopenable(error) || existsSync(`${path}-wal`)) return driver
    driver.close()
    const url = pathToFileURL(path)
    url.searchParams.set("immutable", "1")
    return new DatabaseSync(url, { ...GUARDED, readOnly: true })
  }
}

function wrap(path: string, driver: DatabaseSync, text: (given: string) => string): Database {
  const statements = new Map<string, StatementSync>()
  const identity = identityAt(path)
  const prepared = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = driver.prepare(sql)
    statements.set(sql, made)
    return made
  }
  // Applies to query parameters, too: a row is found by what was written.
  const given = (values: readonly Value[]) =>
    values.map((value) => (typeof value === "string" ? text(value) : value))
  return {
    path,
    run(sql, ...values) {
      const { changes, lastInsertRowid } = prepared(sql).run(...given(values))
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    },
    // The driver's rows hold only these kinds of values unless big integers are enabled.
    all: (sql, ...values) => prepared(sql).all(...given(values)) as readonly Row[],
    get: (sql, ...values) => prepared(sql).get(...given(values)) as Row | undefined,
    each: (sql, ...values) => driver.prepare(sql).iterate(...given(values)) as Iterable<Row>,
    transaction(work) {
      driver.exec("BEGIN IMMEDIATE")
      try {
        const result = work()
        driver.exec("COMMIT")
        return result
      } catch (error) {
        if (driver.isTransaction) driver.exec("ROLLBACK")
        throw error
      }
    },
    size: () => ["", "-wal", "-shm"].reduce((sum, end) => sum + bytesOf(path + end), 0),
    isGone: () => identityAt(path) !== identity,
    close() {
      statements.clear()
      driver.close()
    },
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
