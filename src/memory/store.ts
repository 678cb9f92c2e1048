// Stores: folders of Markdown, each with a trust. Lists their files and reads and writes one, never outside the folder
// and never through a link. Whoever may not see a store can not tell it from one that is not there.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs"
import { join, sep } from "node:path"
import { atLeast, type Trust } from "../core/trust.ts"

export interface Store {
  readonly name: string
  readonly folder: string
  readonly trust: Trust
}

/** A file that belongs to a store and stands elsewhere, such as the workspace's MEMORY.md. */
export interface StoreFile {
  readonly path: string
  readonly store: string
}

/** One file as it stands on the disk now. */
export interface Listed {
  /** The store and the way in it, such as "shared/people/carol.md". */
  readonly path: string
  readonly full: string
  readonly mtimeMs: number
  readonly size: number
  readonly inode: number
}

export interface Stores {
  readonly all: readonly Store[]
  readonly files: readonly StoreFile[]
}

/** A larger file is not memory but data. */
export const MAX_FILE_BYTES = 1024 * 1024
const MOST_FOLDERS_DEEP = 16

export function visibleStores({ all }: Stores, trust: Trust): readonly Store[] {
  return all.filter((store) => atLeast(trust, store.trust))
}

/** All files of a store, in no order. Links are not followed; a file that also has a name in a more trusted store is its. */
export function listStore(stores: Stores, store: Store): readonly Listed[] {
  const others = new Set(stores.all.filter(({ name }) => name !== store.name).map(({ folder }) => folder))
  const found = new Map<string, Linked>()
  for (const { path } of stores.files.filter((file) => file.store === store.name)) {
    const listed = listFile(`${store.name}/${lastName(path)}`, path)
    if (listed !== undefined) found.set(listed.path, listed)
  }
  const walk = (folder: string, shown: string, depth: number) => {
    for (const entry of entriesOf(folder)) {
      const full = join(folder, entry.name)
      if (
        entry.isDirectory() &&
        depth < MOST_FOLDERS_DEEP &&
        !others.has(full) &&
        !entry.name.startsWith(".")
      )
        walk(full, `${shown}/${entry.name}`, depth + 1)
      if (!entry.isFile() || !isMemoryName(entry.name) || found.has(`${shown}/${entry.name}`)) continue
      const listed = listFile(`${shown}/${entry.name}`, full)
      if (listed !== undefined) found.set(listed.path, listed)
    }
  }
  walk(store.folder, store.name, 0)
  return [...found.values()].filter((file) => !belongsToMoreTrusted(stores, store, file))
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && "code" in error) return []
    throw error
  }
}

function isMemoryName(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".")
}

interface Linked extends Listed {
  readonly links: number
  readonly device: number
}

function listFile(path: string, full: string): Linked | undefined {
  const stat = lstatSync(full, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile() || stat.size > MAX_FILE_BYTES) return undefined
  return {
    path,
    full,
    mtimeMs: stat.mtimeMs,
    size: stat.size,
    inode: stat.ino,
    links: stat.nlink,
    device: stat.dev,
  }
}

/** By identity: another name of a file that needs more trust gives nobody the right to read it. */
function belongsToMoreTrusted(stores: Stores, store: Store, file: Linked): boolean {
  const { links, device } = file
  if (links < 2) return false
  const same = (path: string) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.ino === file.inode && stat.dev === device
  }
  const higher = stores.all.filter(
    (other) => other.trust !== store.trust && atLeast(other.trust, store.trust),
  )
  return higher.some(
    (other) =>
      stores.files.some(({ path, store: name }) => name === other.name && same(path)) ||
      readNames(other.folder).some((name) => same(join(other.folder, name))),
  )
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
  } catch (error) {
    if (error instanceof Error && "code" in error) return []
    throw error
  }
}

/** A path as a caller gives it, inside a store that the trust reaches; `undefined` for whatever else it may be. */
export interface Place {
  readonly store: Store
  readonly path: string
  /** The folder that must hold it, and the names from there on. */
  readonly root: string
  readonly names: readonly string[]
  readonly full: string
}

/** Whether the file is the place's own: not another name of one that needs more trust. */
export function isOwn(stores: Stores, { store, path, full }: Place): boolean {
  const listed = listFile(path, full)
  return listed !== undefined && !belongsToMoreTrusted(stores, store, listed)
}

export function placeOf(stores: Stores, path: string, trust: Trust): Place | undefined {
  const [name = "", ...names] = path.split("/")
  const store = visibleStores(stores, trust).find((candidate) => candidate.name === name)
  if (store === undefined || names.length === 0 || path.length > 1_024 || !names.every(isPlainName))
    return undefined
  if (!isMemoryName(names.at(-1) ?? "")) return undefined
  const extra = stores.files.find(
    (file) => file.store === name && names.length === 1 && lastName(file.path) === names[0],
  )
  if (extra !== undefined) {
    const root = extra.path.slice(0, -lastName(extra.path).length - 1)
    return { store, path, root, names, full: extra.path }
  }
  const others = stores.all.filter((other) => other.name !== name)
  const full = join(store.folder, ...names)
  if (others.some(({ folder }) => full.startsWith(folder + sep) && folder.startsWith(store.folder + sep)))
    return undefined
  return { store, path, root: store.folder, names, full }
}

/** One name, as it is: nothing that a file system, a shell or a URL could read as more, or as another name. */
function isPlainName(name: string): boolean {
  return (
    /^[^\p{Cc}\p{Cs}\\/:*?"<>|%~\u202a-\u202e\u2066-\u2069]{1,255}$/u.test(name) &&
    !name.startsWith(".") &&
    !/[. ]$/.test(name) &&
    name === name.normalize("NFC")
  )
}

function lastName(path: string): string {
  return path.split(sep).at(-1) ?? path
}

/**
 * The text of a file, or `undefined` if there is none to be had: not there, no regular file, too large, or not where
 * it seems to be.
 */
export function readInside(full: string): string | undefined {
  let handle: number | undefined
  try {
    handle = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const opened = fstatSync(handle)
    if (!opened.isFile() || opened.size > MAX_FILE_BYTES || !standsAt(handle, full)) return undefined
    return new TextDecoder().decode(readFileSync(handle)).replaceAll("\r\n", "\n")
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/**
 * Whether the opened file is the one at the path, without a link on the way. Linux tells for the handle itself. Elsewhere
 * path and file are compared twice: who swaps a folder for a link has to win four races in a row.
 */
export function standsAt(handle: number, full: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${handle}`) === full
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error
  }
  const opened = fstatSync(handle)
  const isSame = () => {
    const now = lstatSync(full)
    return realpathSync(full) === full && now.ino === opened.ino && now.dev === opened.dev
  }
  return isSame() && isSame()
}
