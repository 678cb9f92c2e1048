// Lists the files of one store, as a full scan would. A large store that is queried repeatedly is watched, and then
// only changed files are checked. If in doubt, everything is scanned.
import { basename } from "node:path"
import { pathBelow } from "../../files/files-below.ts"
import { statOf } from "../../files/gate/hard-links.ts"
import { identityOf } from "../../files/identity.ts"
import { slices } from "../../files/in-slices.ts"
import { existingPathOf } from "../../files/real-path.ts"
import { type FolderWatch, openFolderWatch } from "../../files/watch/folder-watch.ts"
import {
  byNeeds,
  type FilesByNeeds,
  furtherFiles,
  isMemoryName,
  lookThrough,
  type MemoryGate,
  type NeedingFile,
  namesIn,
  type Store,
  type StoreLook,
  type Stores,
  walkedFile,
} from "./store.ts"

export interface WatchedStoreOptions {
  readonly stores: Stores
  /** A folder in which files may be created. */
  readonly scratch: string
  /** With fewer files, a full scan is fast enough. */
  readonly watchFrom: number
}

/** A command that queries or writes once is done before a watch would have started. */
const LOOKS_BEFORE = 3
/** More folders would use too many of the user's watches. */
const MOST_FOLDERS = 500

/** What was seen while the folders were watched. */
interface Seen {
  readonly walked: Map<string, NeedingFile>
  further: readonly NeedingFile[]
  files: FilesByNeeds
  readonly folders: readonly string[]
  readonly grounds: string
}

export class WatchedStore {
  readonly #store: Store
  readonly #options: WatchedStoreOptions
  #looks = 0
  #preparing: Promise<void> | undefined
  #isClosed = false
  #gate: MemoryGate | undefined
  #watch: FolderWatch | undefined
  /** The state of the watched folders when the watch started. */
  #watched = ""
  #seen: Seen | undefined
  #closing: Promise<void> = Promise.resolve()

  constructor(store: Store, options: WatchedStoreOptions) {
    this.#store = store
    this.#options = options
  }

  /** Returns the same object as long as nothing has changed. */
  files(): FilesByNeeds {
    const gate = this.#options.stores.gate()
    this.#gate = gate
    return this.#changed(gate) ?? this.#all(gate)
  }

  /**
   * Lists a large store in slices and has it watched from then on, so that the next `files` need not check every file
   * within one turn of the event loop. Has no effect where folders cannot be watched.
   */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare().finally(() => {
      this.#preparing = undefined
    })
    return this.#preparing
  }

  async #prepare(): Promise<void> {
    const { stores, scratch, watchFrom } = this.#options
    if (this.#seen !== undefined && this.#watch?.isWatching === true) return
    const { paths, folders } = namesIn(stores, this.#store)
    if (this.#isClosed || paths.length < watchFrom || folders.length > MOST_FOLDERS) return
    const state = foldersNow(folders)
    if (this.#watch !== undefined && state !== this.#watched) this.#unwatch()
    if (this.#watch === undefined) {
      this.#watched = state
      this.#watch = openFolderWatch(folders, scratch)
    }
    await this.#watch?.started()
    if (this.#watch?.isWatching === true) await this.#lookInSlices(this.#watch)
  }

  /** What changes meanwhile is among the changes that the watch reports next. */
  async #lookInSlices(watch: FolderWatch): Promise<void> {
    const { stores } = this.#options
    const looks = this.#looks
    const { paths, folders } = namesIn(stores, this.#store)
    const gate = stores.gate()
    const grounds = gate.groundsFor(folders)
    const pause = slices()
    const walked = new Map<string, NeedingFile>()
    for (const path of paths) {
      const file = walkedFile(gate, this.#store, path)
      if (file?.hasOtherNames === true) return
      if (file !== undefined) walked.set(path, file)
      await pause()
      if (this.#watch !== watch) return
    }
    // Others have looked and may have asked the watch, or the grounds for what was seen have changed.
    if (this.#watch !== watch || looks !== this.#looks) return
    const now = stores.gate()
    if (foldersNow(folders) !== this.#watched || now.groundsFor(folders) !== grounds) return
    const further = furtherFiles(stores, this.#store, now)
    const files = byNeeds({ walked: [...walked.values()], further })
    this.#seen = { walked, further, files, folders, grounds }
  }

  /** Whether these files are as `files` just saw them. If not, the next call scans everything. */
  areAsSeen(paths: readonly string[]): boolean {
    const { name, folder } = this.#store
    const [seen, gate] = [this.#seen, this.#gate]
    if (seen === undefined || gate === undefined) return true
    const own = paths.filter((path) => path.startsWith(`${name}/`))
    const areSame = own
      .map((path) => pathBelow(folder, path.slice(name.length + 1)))
      .every((full) => isSame(seen.walked.get(full), walkedFile(gate, this.#store, full)))
    if (!areSame) this.#seen = undefined
    return areSame
  }

  /** Resolves when its folders are watched, if a watch is starting. */
  async started(): Promise<void> {
    await this.#watch?.started()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unwatch()
    await this.#preparing
    await this.#closing
  }

  #all(gate: MemoryGate): FilesByNeeds {
    this.#seen = undefined
    this.#looks += 1
    const isWatching = this.#watch?.isWatching === true
    const look = lookThrough(this.#options.stores, this.#store, gate)
    const files = byNeeds(look)
    const folders = foldersNow(look.folders)
    if (this.#watch !== undefined && (folders !== this.#watched || !this.#isWorthWatching(look)))
      this.#unwatch()
    else if (isWatching)
      this.#seen = {
        walked: new Map(look.walked.map((file) => [file.full, file])),
        ...{ further: look.further, files, folders: look.folders },
        grounds: gate.groundsFor(look.folders),
      }
    if (this.#watch === undefined && this.#isWorthWatching(look)) {
      this.#watched = folders
      this.#watch = openFolderWatch(look.folders, this.#options.scratch)
    }
    return files
  }

  /** A file with several names can change through one in a folder that is not watched. */
  #isWorthWatching({ walked, folders }: StoreLook): boolean {
    return (
      this.#looks >= LOOKS_BEFORE &&
      walked.length >= this.#options.watchFrom &&
      folders.length <= MOST_FOLDERS &&
      !walked.some(({ hasOtherNames }) => hasOtherNames)
    )
  }

  /** Returns undefined if everything has to be scanned. */
  #changed(gate: MemoryGate): FilesByNeeds | undefined {
    const seen = this.#seen
    const paths = seen && this.#watch?.changed()
    if (seen === undefined || paths === undefined) return undefined
    if (foldersNow(seen.folders) !== this.#watched || gate.groundsFor(seen.folders) !== seen.grounds)
      return undefined
    let hasChanged = false
    for (const path of paths) {
      const stat = statOf(path)
      if (seen.folders.includes(path) || stat?.isDirectory() === true) {
        // The watched folder may no longer be the one with this name.
        this.#unwatch()
        return undefined
      }
      // Under any name, also a hidden one, it may be a hard link to a file that was seen.
      if (stat !== undefined && stat.nlink > 1n) return undefined
      if (isMemoryName(basename(path)))
        hasChanged = put(seen.walked, path, walkedFile(gate, this.#store, path)) || hasChanged
    }
    const further = furtherFiles(this.#options.stores, this.#store, gate)
    if (!hasChanged && areSame(further, seen.further)) return seen.files
    seen.further = further
    seen.files = byNeeds({ walked: [...seen.walked.values()], further })
    return seen.files
  }

  #unwatch(): void {
    const watch = this.#watch
    this.#watch = undefined
    this.#seen = undefined
    if (watch !== undefined) this.#closing = Promise.all([this.#closing, watch.close()]).then(() => undefined)
  }
}

function put(files: Map<string, NeedingFile>, path: string, file: NeedingFile | undefined): boolean {
  if (isSame(files.get(path), file)) return false
  if (file === undefined) files.delete(path)
  else files.set(path, file)
  return true
}

function areSame(some: readonly NeedingFile[], others: readonly NeedingFile[]): boolean {
  return some.length === others.length && some.every((file, at) => isSame(file, others[at]))
}

function isSame(one: NeedingFile | undefined, other: NeedingFile | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Which folders these paths lead to, and who may read them. The first is the store's: replacing a folder above it
 * raises no event.
 */
function foldersNow(folders: readonly string[]): string {
  const states = folders.map((folder) => {
    const stat = statOf(folder)
    return [folder, stat && identityOf(stat), stat?.mode, stat?.uid, stat?.gid].join(":")
  })
  return [existingPathOf(folders[0] ?? ""), ...states].join("\n")
}
