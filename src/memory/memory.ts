// Memory: stores of Markdown by trust, and an index beside them that is kept in step and may be deleted at any time.
// The files are the truth. Nothing here decides who asks: the trust comes with each question.
import { realpathSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Counter } from "../core/counter.ts"
import { IncipitError } from "../core/error.ts"
import type { Trust } from "../core/trust.ts"
import { type Database, openDatabase } from "../sqlite/database.ts"
import { isDamaged } from "../sqlite/failure.ts"
import { type GetOptions, type GetResult, getFile } from "./get.ts"
import { type Recall, recallText } from "./recall.ts"
import { type RecentOptions, type RecentResult, recentIn } from "./recent.ts"
import {
  applyAtOnce,
  type Changes,
  changesOf,
  isInStep,
  isSmall,
  type RefreshOptions,
  refreshStore,
  withoutTouched,
} from "./refresh.ts"
import { MEMORY_MIGRATIONS } from "./schema.ts"
import { candidates, fill, type SearchResult } from "./search.ts"
import { liveShelf, snapshot, unitDigest } from "./shelf.ts"
import { type Store, type StoreFile, type Stores, visibleStores } from "./store.ts"
import { unitsOf } from "./units.ts"
import { type Why, whyNot } from "./why-not.ts"
import {
  appendEntry,
  placeToWrite,
  refusal,
  textRefusal,
  type WriteOptions,
  type WriteResult,
} from "./write.ts"

export interface MemoryOptions {
  readonly stores: readonly Store[]
  /** Files that belong to a store and stand elsewhere. */
  readonly files?: readonly StoreFile[]
  /** The path of the index. */
  readonly index: string
  readonly counter: Counter
}

export interface SearchOptions {
  readonly trust: Trust
  readonly limit?: number
  /** In tokens of the hits' texts. */
  readonly budget?: number
}

export interface StoreStatus {
  readonly name: string
  readonly trust: Trust
  readonly files: number
  readonly units: number
  readonly tokens: number
  /** Whether the index has what the files say now, and how many files differ. */
  readonly fresh: boolean
  readonly changed: number
}

export interface MemoryStatus {
  readonly stores: readonly StoreStatus[]
  /** Of the index; not told to a limited trust, since all stores have a part in it. */
  readonly bytes?: number
}

export interface Memory {
  search(query: string, options: SearchOptions): SearchResult
  get(path: string, options: GetOptions): GetResult
  write(text: string, options: WriteOptions): WriteResult
  recall(message: string, options: { readonly trust: Trust; readonly budget: number }): Recall
  /** What was written last, or tells of the last days, newest first. */
  recent(options: RecentOptions & { readonly trust: Trust }): RecentResult
  /** For the operator. */
  whyNot(pathOrText: string, query: string, options: { readonly trust: Trust }): Why
  /** For the operator, unless a trust limits it to what that may see. */
  status(options?: { readonly trust?: Trust }): MemoryStatus
  /** Brings the index in step in the background. */
  refresh(options?: RefreshOptions): Promise<void>
  close(): Promise<void>
}

const DEFAULT_LIMIT = 10
const DEFAULT_BUDGET = 1_000

export function openMemory(options: MemoryOptions): Memory {
  return new OpenMemory(options)
}

class OpenMemory implements Memory {
  readonly #stores: Stores
  readonly #path: string
  readonly #counter: Counter
  #database: Database | undefined
  #inode: number | undefined
  #working: Promise<void> | undefined
  #isClosed = false

  constructor({ stores, files = [], index, counter }: MemoryOptions) {
    this.#stores = {
      all: stores.map((store) => ({ ...store, folder: realFolder(store.folder) })),
      files: files.map(({ path, store }) => ({
        path: join(realFolder(dirname(path)), path.split(/[\\/]/).at(-1) ?? ""),
        store,
      })),
    }
    this.#path = index
    this.#counter = counter
  }

  search(
    query: string,
    { trust, limit = DEFAULT_LIMIT, budget = DEFAULT_BUDGET }: SearchOptions,
  ): SearchResult {
    const stores = visibleStores(this.#stores, trust)
    if (stores.length === 0) return { status: "empty", hits: [], tokens: 0 }
    try {
      return this.#sound((database) => {
        const behind = this.#bringInStep(database, stores)
        return snapshot(database, () => {
          const shelves = stores.flatMap((store) => liveShelf(database, store, this.#counter) ?? [])
          const found = candidates(database, { text: query, shelves })
          const result = fill(found, query, { database, limit, budget, counter: this.#counter })
          return { ...(behind ?? { status: found.length === 0 ? "empty" : "ok" }), ...result }
        })
      })
    } catch (error) {
      return { status: "error", reason: reasonOf(error), hits: [], tokens: 0 }
    }
  }

  get(path: string, options: GetOptions): GetResult {
    return getFile(this.#stores, path, { ...options, counter: this.#counter })
  }

  write(text: string, options: WriteOptions): WriteResult {
    const why = textRefusal(text, options.by)
    if (why !== undefined) return refusal(why)
    const place = placeToWrite(this.#stores, options)
    if (place === undefined) return refusal("no-such-place")
    const { by, trust, now } = options
    try {
      return this.#sound((database) => {
        const stores = visibleStores(this.#stores, trust)
        this.#bringInStep(database, stores)
        // The transaction is the lock between writers in several processes.
        const result = database.transaction(() =>
          this.#isKnown(database, stores, text)
            ? refusal("duplicate")
            : appendEntry(this.#stores, place, { text, by, trust, at: new Date(now).toISOString() }),
        )
        if (result.status === "written") this.#bringInStep(database, [place.store])
        return result
      })
    } catch (error) {
      if (isOfTheWorld(error)) return refusal("unavailable")
      throw error
    }
  }

  recall(message: string, { trust, budget }: { readonly trust: Trust; readonly budget: number }): Recall {
    return recallText(this.search(message, { trust, budget, limit: 20 }), budget, this.#counter)
  }

  recent({ trust, ...options }: RecentOptions & { readonly trust: Trust }): RecentResult {
    const stores = visibleStores(this.#stores, trust)
    if (stores.length === 0) return { status: "empty", entries: [] }
    try {
      return this.#sound((database) => {
        const behind = this.#bringInStep(database, stores)
        return snapshot(database, () => {
          const shelves = stores.flatMap((store) => liveShelf(database, store, this.#counter) ?? [])
          const entries = recentIn(database, shelves, options)
          return { ...(behind ?? { status: entries.length === 0 ? "empty" : "ok" }), entries }
        })
      })
    } catch (error) {
      return { status: "error", reason: reasonOf(error), entries: [] }
    }
  }

  whyNot(pathOrText: string, query: string, { trust }: { readonly trust: Trust }): Why {
    return this.#sound((database) => {
      this.#bringInStep(database, this.#stores.all)
      const options = { database, stores: this.#stores, counter: this.#counter, trust }
      return snapshot(database, () => whyNot(pathOrText, query, options))
    })
  }

  status({ trust }: { readonly trust?: Trust } = {}): MemoryStatus {
    const stores = visibleStores(this.#stores, trust ?? "full")
    return this.#sound((database) => ({
      stores: snapshot(database, () => stores.map((store) => this.#statusOf(database, store))),
      ...(trust === undefined && { bytes: database.size() }),
    }))
  }

  async refresh(options: RefreshOptions = {}): Promise<void> {
    await this.#working
    this.#working = this.#refreshAll(options)
    await this.#working
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#working?.catch(() => undefined)
    this.#database?.close()
    this.#database = undefined
  }

  async #refreshAll(options: RefreshOptions): Promise<void> {
    const database = this.#sound((opened) => opened)
    const isStopped = () => this.#isClosed || this.#database !== database
    for (const store of this.#stores.all)
      if (!isStopped())
        await refreshStore(store, {
          ...options,
          database,
          stores: this.#stores,
          counter: this.#counter,
          isStopped,
        })
  }

  /** What keeps the stores from being in step, if anything does. Never rebuilds because nothing was found. */
  #bringInStep(
    database: Database,
    stores: readonly Store[],
  ): Pick<SearchResult, "status" | "reason"> | undefined {
    let large: readonly Changes[] = []
    try {
      const all = snapshot(database, () =>
        stores.map((store) => changesOf(database, this.#stores, store, this.#counter)),
      )
      const behind = all.filter((changes) => !isInStep(changes))
      large = behind.filter((changes) => !isSmall(changes))
      for (const changes of behind) if (isSmall(changes)) applyAtOnce(database, changes, this.#counter)
    } catch (error) {
      if (isDamaged(error)) throw error
      return { status: "degraded", reason: `the index is behind its files: ${reasonOf(error)}` }
    }
    if (large.length === 0) return undefined
    this.#working ??= this.#refreshAll({})
      .catch(() => undefined)
      .finally(() => {
        this.#working = undefined
      })
    return { status: "stale", reason: staleReason(large) }
  }

  #isKnown(database: Database, stores: readonly Store[], text: string): boolean {
    const units = unitsOf(text, "").flatMap((part) => part.units)
    const shelves = new Set(stores.flatMap((store) => liveShelf(database, store, this.#counter) ?? []))
    const isThere = (digest: string) =>
      database
        .all(
          `SELECT file.shelf AS shelf FROM unit, part, file
           WHERE unit.digest = ? AND part.id = unit.id / 4194304 AND file.id = part.file`,
          digest,
        )
        .some(({ shelf }) => shelves.has(Number(shelf)))
    return (
      isThere(unitDigest(text)) || (units.length > 0 && units.every((unit) => isThere(unitDigest(unit.text))))
    )
  }

  #statusOf(database: Database, store: Store): StoreStatus {
    const changes = withoutTouched(database, changesOf(database, this.#stores, store, this.#counter))
    const sums = database.get(
      "SELECT count(*) AS files, sum(units) AS units, sum(tokens) AS tokens FROM file WHERE shelf = ?",
      changes.shelf ?? -1,
    )
    return {
      name: store.name,
      trust: store.trust,
      files: Number(sums?.files ?? 0),
      units: Number(sums?.units ?? 0),
      tokens: Number(sums?.tokens ?? 0),
      fresh: isInStep(changes),
      changed: changes.changed.length + changes.removed.length,
    }
  }

  /** Works on the index; one that is damaged is made anew, once, since the files have all that is in it. */
  #sound<T>(work: (database: Database) => T): T {
    try {
      return work(this.#opened())
    } catch (error) {
      if (!isDamaged(error)) throw error
      this.#database?.close()
      this.#database = undefined
      for (const end of ["", "-wal", "-shm"]) rmSync(this.#path + end, { force: true })
      return work(this.#opened())
    }
  }

  /** The file may have been deleted, or replaced by another process, since it was opened. */
  #opened(): Database {
    if (this.#isClosed) throw new IncipitError("unusable-database", `${this.#path} was closed`)
    if (this.#database !== undefined && inodeOf(this.#path) === this.#inode) return this.#database
    this.#database?.close()
    this.#database = undefined
    this.#database = openDatabase(this.#path, { migrations: MEMORY_MIGRATIONS })
    this.#database.run("PRAGMA secure_delete = ON")
    this.#inode = inodeOf(this.#path)
    return this.#database
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (error) {
    if (isOfTheWorld(error)) return join(folder)
    throw error
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function staleReason(behind: readonly Changes[]): string {
  const files = behind.reduce((sum, { changed, removed }) => sum + changed.length + removed.length, 0)
  return `${files} files are being indexed`
}

function isOfTheWorld(error: unknown): boolean {
  return error instanceof IncipitError || (error instanceof Error && "code" in error)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
