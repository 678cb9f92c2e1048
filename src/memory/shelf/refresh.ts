// Keeps the index in step with the files. A reader never sees half a store: a new shelf is filled in the background and
// becomes live in one transaction, and a changed file is replaced in one. Small changes are applied at once, before a
// search.
import process from "node:process"
import { setImmediate } from "node:timers/promises"
import { digest } from "../../base/digest.ts"
import { byCodePoint } from "../../base/order.ts"
import type { Counter } from "../../core/model/counter.ts"
import type { Database, Row, Value } from "../../database/sqlite/database.ts"
import { SLICE_MS } from "../../files/in-slices.ts"
import { termsTable } from "./schema.ts"
import {
  addShelf,
  liveShelf,
  makeLive,
  removeShelf,
  type ShelfFile,
  shelveFile,
  unshelveFile,
} from "./shelf.ts"
import { type Listed, readInside, type StorePart } from "./store.ts"

/** How a store's files differ from their index. */
export interface Changes {
  readonly part: StorePart
  readonly shelf: number | undefined
  readonly changed: readonly Listed[]
  /** Rows of deleted files. */
  readonly removed: readonly number[]
}

export interface Progress {
  readonly store: string
  readonly done: number
  readonly files: number
}

/** Options for bringing the index up to date. */
export interface RefreshOptions {
  readonly onProgress?: (progress: Progress) => void
  /** Reads every file again, changed or not. Searches use the old shelf until it is done. */
  readonly rebuild?: boolean
}

/** The most files that a search indexes first; more are indexed in the background. */
const AT_ONCE_FILES = 200
const AT_ONCE_BYTES = 2 * 1024 * 1024
const TIDY_UNITS = 5_000

export interface ListedPart {
  readonly part: StorePart
  readonly listed: readonly Listed[]
}

/**
 * Returns undefined for a part that has no files and never had any: most stores have no file that requires more trust.
 */
export function changesOf(
  database: Database,
  { part, listed }: ListedPart,
  { counter, indexed }: { readonly counter: Counter; readonly indexed: IndexedFiles },
): Changes | undefined {
  const shelf = liveShelf(database, part, counter)
  if (shelf === undefined && listed.length === 0 && part.key !== part.name) return undefined
  if (shelf === undefined) return { part, shelf, changed: inOrder(listed), removed: [] }
  const known = indexed.of(database, shelf)
  if (indexed.inStep.get(known) === listed) return { part, shelf, changed: [], removed: [] }
  let matched = 0
  const changed = listed.filter((listed) => {
    const file = known.get(listed.path)
    if (file !== undefined) matched += 1
    return file === undefined || !isAsIndexed(file, listed)
  })
  const removed = matched === known.size ? [] : withoutListed(known, listed)
  if (changed.length === 0 && removed.length === 0) indexed.inStep.set(known, listed)
  return { part, shelf, changed: inOrder(changed), removed }
}

type Known = ReadonlyMap<Value | undefined, Row>

function isAsIndexed(file: Row, { mtimeMs, ctimeMs, size, inode }: Listed): boolean {
  return file.mtime === mtimeMs && file.ctime === ctimeMs && file.size === size && file.inode === inode
}

function withoutListed(known: Known, listed: readonly Listed[]): readonly number[] {
  const paths = new Set<Value | undefined>(listed.map(({ path }) => path))
  return [...known].filter(([path]) => !paths.has(path)).map(([, { id }]) => Number(id))
}

/** What an open memory knows of its index. */
export interface IndexedFiles {
  /** The indexed files of a shelf. Read again only if a process has changed the index. */
  of(database: Database, shelf: number): Known
  /**
   * The list of files that an index was found in step with. While both are the same objects, they are not compared
   * again.
   */
  readonly inStep: WeakMap<Known, readonly Listed[]>
}

export function createIndexedFiles(): IndexedFiles {
  const shelves = new Map<number, Known>()
  let read: { readonly database: Database; readonly version: string } | undefined
  return {
    of(database, shelf) {
      const version = versionOf(database)
      if (read?.database !== database || read.version !== version) shelves.clear()
      read = { database, version }
      const known = shelves.get(shelf)
      if (known !== undefined) return known
      const rows = database.all("SELECT id, path, mtime, ctime, size, inode FROM file WHERE shelf = ?", shelf)
      const files = new Map(rows.map((row) => [row.path, row]))
      shelves.set(shelf, files)
      return files
    },
    inStep: new WeakMap(),
  }
}

/** The first figure counts changes by other connections, the second those by this one. */
function versionOf(database: Database): string {
  const others = database.get("PRAGMA data_version")?.data_version
  return `${others} ${database.get("SELECT total_changes() AS own")?.own}`
}

function inOrder(listed: readonly Listed[]): readonly Listed[] {
  return listed.toSorted((a, b) => byCodePoint(a.path, b.path))
}

/** Without files that were only touched: time and size show that a file may differ, its digest whether it does. */
export function withoutTouched(database: Database, changes: Changes): Changes {
  const { shelf, changed } = changes
  const differs = ({ path, full }: Listed) => {
    const known = database.get("SELECT digest FROM file WHERE shelf = ? AND path = ?", shelf ?? -1, path)
    const text = readInside(full)
    return known === undefined || text === undefined || known.digest !== digest(text)
  }
  return { ...changes, changed: changed.filter(differs) }
}

export function isInStep({ shelf, changed, removed }: Changes): boolean {
  return shelf !== undefined && changed.length === 0 && removed.length === 0
}

export function isSmall({ changed, removed }: Changes): boolean {
  const bytes = changed.reduce((sum, { size }) => sum + size, 0)
  return changed.length + removed.length <= AT_ONCE_FILES && bytes <= AT_ONCE_BYTES
}

/** All in one transaction. If another process was faster, nothing is done twice. */
export function applyAtOnce(database: Database, changes: Changes, counter: Counter): void {
  const { part, changed, removed } = changes
  database.transaction(() => {
    const live = liveShelf(database, part, counter)
    if (live !== changes.shelf) return
    const shelf = live ?? addShelf(database, part, counter)
    for (const id of removed) unshelveFile(database, shelf, id)
    for (const listed of changed) shelveFile(database, { shelf, listed, counter })
    if (live === undefined) makeLive(database, part, shelf)
    else tidy(database, shelf)
  })
}

/**
 * FTS5 keeps the words of deleted rows until it merges. A small shelf is merged at once. In a large one that would
 * delay the search, so it happens gradually, or with a rebuild.
 */
function tidy(database: Database, shelf: number): void {
  const row = database.get("SELECT sum(units) AS units FROM file WHERE shelf = ?", shelf)
  if (Number(row?.units ?? 0) > TIDY_UNITS) return
  database.run(`INSERT INTO ${termsTable(shelf)} (${termsTable(shelf)}) VALUES ('optimize')`)
}

export interface Refresh extends RefreshOptions {
  readonly database: Database
  /** The files of a part as they are now. */
  readonly filesOf: (part: StorePart) => readonly Listed[]
  readonly counter: Counter
  readonly indexed: IndexedFiles
  /** Called between slices. */
  readonly isStopped: () => boolean
}

/** Works in slices, so that the caller's other work can run in between. */
export async function refreshPart(part: StorePart, options: Refresh): Promise<void> {
  const { database, filesOf, rebuild = false } = options
  const changes = changesOf(database, { part, listed: filesOf(part) }, options)
  if (changes === undefined) return
  if (changes.shelf === undefined || rebuild) return buildShelf(part, changes.shelf, options)
  database.transaction(() => {
    for (const id of changes.removed) unshelveFile(database, changes.shelf ?? 0, id)
  })
  await shelveSlices(changes.shelf, { ...options, part, listed: changes.changed })
}

async function buildShelf(part: StorePart, old: number | undefined, options: Refresh): Promise<void> {
  const { database, filesOf, counter, isStopped } = options
  const shelf = database.transaction(() => {
    removeOrphans(database)
    return addShelf(database, part, counter)
  })
  await shelveSlices(shelf, { ...options, part, listed: inOrder(filesOf(part)) })
  database.transaction(() => {
    // The faster process has read the same files.
    if (isStopped() || liveShelf(database, part, counter) !== old) removeShelf(database, shelf)
    else makeLive(database, part, shelf)
  })
}

interface Slices extends Refresh {
  readonly part: StorePart
  readonly listed: readonly Listed[]
}

async function shelveSlices(shelf: number, options: Slices): Promise<void> {
  const { database, listed, counter, part, isStopped, onProgress } = options
  for (let done = 0; done < listed.length && !isStopped(); ) {
    // One transaction for each slice, so that others can write in between.
    done = database.transaction(() => {
      if (database.get("SELECT id FROM shelf WHERE id = ?", shelf) === undefined) return listed.length
      return done + shelveSlice(database, { shelf, counter, listed: listed.slice(done) })
    })
    onProgress?.({ store: part.name, done, files: listed.length })
    await setImmediate()
  }
}

/** Returns how many files it has written, at least one. */
function shelveSlice(
  database: Database,
  { shelf, counter, listed: all }: Omit<ShelfFile, "listed"> & { readonly listed: readonly Listed[] },
): number {
  const end = performance.now() + SLICE_MS
  let written = 0
  for (const listed of all) {
    shelveFile(database, { shelf, listed, counter })
    written += 1
    if (performance.now() >= end) break
  }
  return written
}

/** Shelves whose builder process died before they were complete. */
function removeOrphans(database: Database): void {
  for (const { id, builder } of database.all("SELECT id, builder FROM shelf WHERE live = 0"))
    if (!isRunning(Number(builder))) removeShelf(database, Number(id))
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
