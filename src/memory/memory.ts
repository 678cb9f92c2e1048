// Memory: Markdown stores by trust, and an index that is kept in step and may be deleted at any time. The files are the
// source of truth. Callers pass a trust with every query; nothing here decides who is asking.
import { dirname } from "node:path"
import { IncipitError } from "../base/error.ts"
import type { Trust } from "../base/trust.ts"
import type { Counter } from "../core/model/counter.ts"
import type { Database } from "../database/sqlite/database.ts"
import { isDamaged } from "../database/sqlite/failure.ts"
import { DEFAULT_HIT_TOKENS, DEFAULT_HITS } from "./default-limits.ts"
import { type GetOptions, type GetResult, getFile } from "./get.ts"
import { RECALL_FLOOR } from "./rank/relevance.ts"
import { type Recall, recallText } from "./recall.ts"
import { type RecentOptions, type RecentResult, recentIn } from "./recent.ts"
import { candidates, fill, type SearchResult } from "./search.ts"
import { IndexFile } from "./shelf/index-file.ts"
import { placeStores } from "./shelf/place-stores.ts"
import {
  applyAtOnce,
  type Changes,
  changesOf,
  createIndexedFiles,
  isInStep,
  isSmall,
  type RefreshOptions,
  refreshPart,
} from "./shelf/refresh.ts"
import { isShelved, liveShelf, snapshot } from "./shelf/shelf.ts"
import {
  listing,
  type Place,
  partsOf,
  type Store,
  type StoreFile,
  type StorePart,
  type Stores,
  visibleParts,
  visibleStores,
} from "./shelf/store.ts"
import { WatchedStore } from "./shelf/watched-store.ts"
import { type StoreStatus, statusOf } from "./store-status.ts"
import { type Why, whyNot } from "./why-not.ts"
import {
  appendEntry,
  type Composed,
  composeEntry,
  type Entry,
  isInstructionPlace,
  placeToWrite,
  type Refused,
  refusal,
  textRefusal,
  type WriteOptions,
  type WriteResult,
} from "./write.ts"

/** The stores of a memory, the trust of each, and where the index is kept. */
export interface MemoryOptions {
  readonly stores: readonly Store[]
  /** Files that belong to a store but are in another folder. */
  readonly files?: readonly StoreFile[]
  /** The path of the index. */
  readonly index: string
  /**
   * The folder that must contain all stores: a store that is a link is not read. Default: links to stores are followed.
   */
  readonly root?: string
  /**
   * Decides what files require beyond their store; opened for each look at the files. Default: a hard link to a file of
   * a more trusted store requires that store's trust.
   */
  readonly gate?: Stores["gate"]
  readonly counter: Counter
  /**
   * On Linux, a store with at least this many files is watched once it has been searched three times. For other stores,
   * each search checks every file.
   */
  readonly watchFrom?: number
  /** Removes secrets before a text is cut: half a key would not be recognized afterwards. Default: removes nothing. */
  readonly redact?: (text: string) => string
}

/** Whose trust applies to a search, and how much it may return. */
export interface SearchOptions {
  readonly trust: Trust
  readonly limit?: number
  /** In tokens of the hits' texts. */
  readonly budget?: number
}

/** What is in a memory, and whether its index is up to date. */
export interface MemoryStatus {
  readonly stores: readonly StoreStatus[]
  /** The size of the index. Omitted for a limited trust, because all stores contribute to it. */
  readonly bytes?: number
}

/** An open memory: search, read and write notes within a level of trust. */
export interface Memory {
  search(query: string, options: SearchOptions): SearchResult
  get(path: string, options: GetOptions): GetResult
  write(text: string, options: WriteOptions): WriteResult
  /** What memory holds about a message. Returns nothing if the best hit is not relevant enough. */
  recall(message: string, options: { readonly trust: Trust; readonly budget: number }): Recall
  /** What was written in recent days, or is about them, newest first. */
  recent(options: RecentOptions & { readonly trust: Trust }): RecentResult
  /** Checks the files once for all that `ask` asks. It must ask at once, without waiting in between. */
  inOneLook<T>(ask: () => T): T
  /**
   * Looks through large stores in slices, so that the next question does not block the process while it checks their
   * files. Only where folders can be watched, on Linux.
   */
  prepare(): Promise<void>
  /** For the operator. */
  whyNot(pathOrText: string, query: string, options: { readonly trust: Trust }): Why
  /** For the operator, unless a trust limits it to what that trust may see. */
  status(options?: { readonly trust?: Trust }): MemoryStatus
  /** Updates the index in the background, and waits for watches that are about to start. */
  refresh(options?: RefreshOptions): Promise<void>
  close(): Promise<void>
}

const MOST_RECALLED = 20
const WATCH_FROM = 1_000

/** A memory whose writes another part of the program makes. */
export interface ComposingMemory extends Memory {
  /** What `write` would write. `before` is called with the file's path before the file is read. */
  compose(text: string, options: WriteOptions, before: (full: string) => void): Composed | WriteResult
}

/** Opens Markdown folders as a memory with a search index. */
export function openMemory(options: MemoryOptions): Memory {
  return new OpenMemory(options)
}

export function openComposingMemory(options: MemoryOptions): ComposingMemory {
  return new OpenMemory(options)
}

class OpenMemory implements ComposingMemory {
  readonly #stores: Stores
  readonly #index: IndexFile
  readonly #counter: Counter
  readonly #redact: (text: string) => string
  readonly #watched: ReadonlyMap<string, WatchedStore>
  readonly #indexed = createIndexedFiles()
  #working: Promise<void> | undefined
  /** The files as they were first seen during `inOneLook`. */
  #look: ReturnType<typeof listing> | undefined

  constructor({ index, watchFrom = WATCH_FROM, ...given }: MemoryOptions) {
    this.#stores = placeStores(given)
    this.#index = new IndexFile(index)
    this.#counter = given.counter
    this.#redact = given.redact ?? ((text) => text)
    // An index that is not kept is for one look, and has no folder that a watch could write its probe into.
    const from = index === ":memory:" ? Number.POSITIVE_INFINITY : watchFrom
    const options = { stores: this.#stores, scratch: dirname(index), watchFrom: from }
    this.#watched = new Map(this.#stores.all.map((store) => [store.name, new WatchedStore(store, options)]))
  }

  search(query: string, options: SearchOptions): SearchResult {
    return this.#asSeen(
      () => this.#find(query, options),
      ({ hits }) => hits,
    )
  }

  #find(
    query: string,
    { trust, limit = DEFAULT_HITS, budget = DEFAULT_HIT_TOKENS }: SearchOptions,
    floor = 0,
  ): SearchResult {
    const parts = visibleParts(this.#stores, trust)
    if (parts.length === 0) return { status: "empty", hits: [], tokens: 0 }
    try {
      return this.#index.sound((database) => {
        const behind = this.#bringInStep(database, parts)
        return snapshot(database, () => {
          const shelves = this.#shelvesOf(database, parts)
          const found = candidates(database, { text: query, shelves, floor })
          const result = fill(found, query, {
            ...{ database, limit, budget, counter: this.#counter, redact: this.#redact },
          })
          return { ...(behind ?? { status: found.length === 0 ? "empty" : "ok" }), ...result }
        })
      })
    } catch (error) {
      return { status: "error", reason: reasonOf(error), hits: [], tokens: 0 }
    }
  }

  get(path: string, options: GetOptions): GetResult {
    return getFile(this.#stores, path, { ...options, counter: this.#counter, redact: this.#redact })
  }

  write(text: string, options: WriteOptions): WriteResult {
    return this.#entered(text, options, (place, entry) => appendEntry(this.#stores, place, entry))
  }

  compose(text: string, options: WriteOptions, before: (full: string) => void): Composed | WriteResult {
    return this.#entered(text, options, (place, entry) => {
      before(place.full)
      return composeEntry(this.#stores, place, entry)
    })
  }

  #entered<T extends { readonly status: string }>(
    text: string,
    options: WriteOptions,
    enter: (place: Place, entry: Entry) => T,
  ): T | Refused {
    const why = textRefusal(text, options.by)
    if (why !== undefined) return refusal(why)
    const place = placeToWrite(this.#stores, options)
    if (place === undefined) return refusal("no-such-place")
    if (isInstructionPlace(place)) return refusal("instruction-name")
    this.#look = undefined
    const { by, trust, now } = options
    try {
      return this.#index.sound((database) => {
        const parts = visibleParts(this.#stores, trust)
        this.#bringInStep(database, parts)
        // The transaction is the lock between writers in several processes.
        const result = database.transaction(() =>
          isShelved(database, new Set(this.#shelvesOf(database, parts)), text)
            ? refusal("duplicate")
            : enter(place, { text, by, trust, at: new Date(now).toISOString() }),
        )
        if (result.status === "written") this.#bringInStep(database, partsOf(place.store, trust))
        return result
      })
    } catch (error) {
      if (isOfTheWorld(error)) return refusal("unavailable")
      throw error
    }
  }

  recall(message: string, { trust, budget }: { readonly trust: Trust; readonly budget: number }): Recall {
    const found = this.#asSeen(
      () => this.#find(message, { trust, budget, limit: MOST_RECALLED }, RECALL_FLOOR),
      ({ hits }) => hits,
    )
    return recallText(found, budget, this.#counter)
  }

  recent(options: RecentOptions & { readonly trust: Trust }): RecentResult {
    return this.#asSeen(
      () => this.#recent(options),
      ({ entries }) => entries,
    )
  }

  #recent({ trust, ...options }: RecentOptions & { readonly trust: Trust }): RecentResult {
    const parts = visibleParts(this.#stores, trust)
    if (parts.length === 0) return { status: "empty", entries: [] }
    try {
      return this.#index.sound((database) => {
        const behind = this.#bringInStep(database, parts)
        return snapshot(database, () => {
          const shelves = this.#shelvesOf(database, parts)
          const entries = recentIn(database, shelves, options).map((entry) => ({
            ...entry,
            text: this.#redact(entry.text),
          }))
          return { ...(behind ?? { status: entries.length === 0 ? "empty" : "ok" }), entries }
        })
      })
    } catch (error) {
      return { status: "error", reason: reasonOf(error), entries: [] }
    }
  }

  inOneLook<T>(ask: () => T): T {
    this.#look = this.#newLook()
    try {
      return ask()
    } finally {
      this.#look = undefined
    }
  }

  async prepare(): Promise<void> {
    for (const store of this.#watched.values()) await store.prepare()
  }

  #newLook() {
    return listing(this.#stores, ({ name }) => this.#watched.get(name)?.files() ?? new Map())
  }

  whyNot(pathOrText: string, query: string, { trust }: { readonly trust: Trust }): Why {
    return this.#index.sound((database) => {
      this.#bringInStep(database, visibleParts(this.#stores, "full"))
      const options = { database, stores: this.#stores, counter: this.#counter, trust }
      return snapshot(database, () => whyNot(pathOrText, query, options))
    })
  }

  status({ trust }: { readonly trust?: Trust } = {}): MemoryStatus {
    const stores = visibleStores(this.#stores, trust ?? "full")
    return this.#index.sound((database) => ({
      stores: snapshot(database, () =>
        stores.map((store) =>
          statusOf(database, store, this.#changesIn(database, partsOf(store, trust ?? "full"))),
        ),
      ),
      ...(trust === undefined && { bytes: database.size() }),
    }))
  }

  async refresh(options: RefreshOptions = {}): Promise<void> {
    await this.#working
    this.#working = this.#refreshAll(options)
    await this.#working
    for (const store of this.#watched.values()) await store.started()
  }

  async close(): Promise<void> {
    this.#index.refuse()
    // First, since this ends a look that is under way.
    for (const store of this.#watched.values()) await store.close()
    await this.#working?.catch(() => undefined)
    this.#index.close()
  }

  /**
   * Repeats the query if a file to be shown has changed since it was seen: a watch misses some changes that a check
   * finds.
   */
  #asSeen<T>(ask: () => T, shown: (answer: T) => readonly { readonly path: string }[]): T {
    const answer = ask()
    const paths = shown(answer).map(({ path }) => path)
    const areSame = [...this.#watched.values()].every((store) => store.areAsSeen(paths))
    if (areSame) return answer
    this.#look = undefined
    return ask()
  }

  async #refreshAll(options: RefreshOptions): Promise<void> {
    const database = this.#index.sound((opened) => opened)
    const isStopped = () => !this.#index.isOpen(database)
    await this.prepare()
    if (isStopped()) return
    const known = { counter: this.#counter, indexed: this.#indexed, filesOf: this.#newLook() }
    for (const part of visibleParts(this.#stores, "full"))
      if (!isStopped()) await refreshPart(part, { ...options, ...known, database, isStopped })
  }

  /** What prevents the stores from being in step, if anything. Never rebuilds just because nothing was found. */
  #bringInStep(
    database: Database,
    parts: readonly StorePart[],
  ): Pick<SearchResult, "status" | "reason"> | undefined {
    let large: readonly Changes[] = []
    try {
      const all = snapshot(database, () => this.#changesIn(database, parts))
      const behind = all.filter((changes) => !isInStep(changes))
      large = behind.filter((changes) => !isSmall(changes))
      for (const changes of behind) if (isSmall(changes)) applyAtOnce(database, changes, this.#counter)
    } catch (error) {
      if (isDamaged(error)) throw error
      return { status: "degraded", reason: `the index is out of date: ${reasonOf(error)}` }
    }
    if (large.length === 0) return undefined
    this.#working ??= this.#refreshAll({})
      .catch(() => undefined)
      .finally(() => {
        this.#working = undefined
      })
    return { status: "stale", reason: staleReason(large) }
  }

  #shelvesOf(database: Database, parts: readonly StorePart[]): readonly number[] {
    return parts.flatMap((part) => liveShelf(database, part, this.#counter) ?? [])
  }

  #changesIn(database: Database, parts: readonly StorePart[]): readonly Changes[] {
    const filesOf = this.#look ?? this.#newLook()
    const known = { counter: this.#counter, indexed: this.#indexed }
    return parts.flatMap((part) => changesOf(database, { part, listed: filesOf(part) }, known) ?? [])
  }
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
