// Stores: folders of Markdown, each with a trust. Lists their files and reads one, never outside the folder and never
// through a link. To a caller that may not see a store, it looks as if it did not exist.
import type { BigIntStats } from "node:fs"
import { join, sep } from "node:path"
import { atLeast, mostOf, TRUSTS, type Trust } from "../../base/trust.ts"
import { pathBelow } from "../../files/files-below.ts"
import type { Gate } from "../../files/gate/gate.ts"
import { statOf } from "../../files/gate/hard-links.ts"
import { asTrust, type Requirement } from "../../files/gate/requirement.ts"
import { isInside } from "../../files/inside.ts"
import { markdownFiles } from "../../files/markdown-files.ts"
import { isPlainName } from "../../files/plain-name.ts"
import { readBytes, withSafeFile } from "../../files/safe-file.ts"

/** A folder of notes, and the trust that reading it needs. */
export interface Store {
  readonly name: string
  readonly folder: string
  readonly trust: Trust
}

/** A file that belongs to a store but is in another folder, such as the workspace's MEMORY.md. */
export interface StoreFile {
  readonly path: string
  readonly store: string
}

/** A file as it is on disk now. */
export interface Listed {
  /** The store and the path inside it, such as "shared/people/carol.md". */
  readonly path: string
  readonly full: string
  readonly mtimeMs: number
  /** Programs cannot set ctime, so it reveals an edit in place whose mtime was restored. */
  readonly ctimeMs: number
  readonly size: number
  readonly inode: number
}

export interface Stores {
  readonly all: readonly Store[]
  readonly files: readonly StoreFile[]
  /** Decides what files require by their own declarations and their other names. Opened for each look at the files. */
  readonly gate: () => MemoryGate
}

export type MemoryGate = Pick<Gate, "guardUnder" | "guardElsewhere" | "guardsOfFound" | "groundsFor">

/**
 * The files of a store that require the same trust. Most require the store's. A file whose frontmatter requires more is
 * kept separate, so that it does not affect what others find.
 */
export interface StorePart extends Store {
  /** The key of the part in the index. Store names contain no slash. */
  readonly key: string
}

/** A larger file is data, not memory. */
export const MAX_FILE_BYTES = 1024 * 1024

export function visibleStores({ all }: Stores, trust: Trust): readonly Store[] {
  return all.filter((store) => atLeast(trust, store.trust))
}

/** The parts that a trust may see: for each store its own part, then those that require more. */
export function visibleParts(stores: Stores, trust: Trust): readonly StorePart[] {
  return visibleStores(stores, trust).flatMap((store) => partsOf(store, trust))
}

export function partsOf(store: Store, trust: Trust): readonly StorePart[] {
  return TRUSTS.filter((needs) => atLeast(needs, store.trust) && atLeast(trust, needs)).map((needs) => ({
    ...store,
    trust: needs,
    key: needs === store.trust ? store.name : `${store.name}/${needs}`,
  }))
}

/** The files of a store, and the folders scanned to find them. */
export interface StoreLook {
  readonly walked: readonly NeedingFile[]
  readonly further: readonly NeedingFile[]
  /** Real paths of the scanned folders. */
  readonly folders: readonly string[]
}

export interface NeedingFile extends Listed {
  /** `undefined`: no trust finds it here. */
  readonly needs: Trust | undefined
  readonly hasOtherNames: boolean
}

/** Checks every file. Does not follow links. */
export function lookThrough(stores: Stores, store: Store, gate: MemoryGate): StoreLook {
  const { paths, folders } = namesIn(stores, store)
  const walked = paths.flatMap((path) => walkedFile(gate, store, path) ?? [])
  return { walked, folders, further: furtherFiles(stores, store, gate) }
}

/** The paths of a store's own files, which may be no longer there, and the folders that were scanned. */
export function namesIn({ all }: Pick<Stores, "all">, store: Store) {
  const without = new Set(all.filter(({ name }) => name !== store.name).map(({ folder }) => folder))
  const { paths, folders } = markdownFiles(store.folder, { skipsHidden: true, without })
  // Walked from a real folder without following links, so these paths are real.
  return { paths: paths.map((path) => pathBelow(store.folder, path)), folders }
}

/** For a real path below the store's folder. */
export function walkedFile(gate: MemoryGate, store: Store, full: string): NeedingFile | undefined {
  const stat = memoryStat(full)
  if (stat === undefined) return undefined
  const { elsewhere, under } = gate.guardsOfFound(full, stat)
  const path = [store.name, ...full.slice(store.folder.length + 1).split(sep)].join("/")
  return { ...listedOf(path, full, stat), needs: neededFor(store, elsewhere, () => under) }
}

export function furtherFiles({ files }: Stores, store: Store, gate: MemoryGate): readonly NeedingFile[] {
  return files
    .filter((file) => file.store === store.name)
    .flatMap(({ path }) => furtherFile(gate, store, `${store.name}/${lastName(path)}`, path) ?? [])
    .filter(({ needs }) => needs !== undefined)
}

/** For a configured path, which may lead elsewhere. */
function furtherFile(gate: MemoryGate, store: Store, path: string, full: string): NeedingFile | undefined {
  const stat = memoryStat(full)
  if (stat === undefined) return undefined
  const needs = neededFor(store, gate.guardElsewhere(full), () => gate.guardUnder(full))
  return { ...listedOf(path, full, stat), needs }
}

export type FilesByNeeds = ReadonlyMap<Trust | undefined, readonly Listed[]>

/** By required trust, in no order. A further file replaces one of the same name. */
export function byNeeds({ walked, further }: Omit<StoreLook, "folders">): FilesByNeeds {
  const taken = new Set(further.map(({ path }) => path))
  const files = [...walked.filter(({ path }) => !taken.has(path)), ...further]
  return Map.groupBy(files, ({ needs }) => needs)
}

/** Scans each store once for all of its parts. */
export function listing(
  stores: Stores,
  look = (store: Store) => byNeeds(lookThrough(stores, store, stores.gate())),
): (part: StorePart) => readonly Listed[] {
  const known = new Map<string, FilesByNeeds>()
  return ({ name, trust }) => {
    const store = stores.all.find((one) => one.name === name)
    if (store === undefined) return []
    const files = known.get(name) ?? look(store)
    known.set(name, files)
    return files.get(trust) ?? []
  }
}

export function isMemoryName(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".")
}

function memoryStat(full: string): BigIntStats | undefined {
  const stat = statOf(full)
  return stat?.isFile() && stat.size <= MAX_FILE_BYTES ? stat : undefined
}

function listedOf(path: string, full: string, stat: BigIntStats) {
  return {
    path,
    full,
    mtimeMs: Number(stat.mtimeNs) / 1e6,
    ctimeMs: Number(stat.ctimeNs) / 1e6,
    size: Number(stat.size),
    inode: Number(stat.ino),
    hasOtherNames: stat.nlink > 1n,
  }
}

/**
 * The trust that a file requires, at least its store's. Returns undefined for a hard link to a file that requires more:
 * another name must not give access to it.
 */
function neededFor(
  store: Store,
  elsewhere: Requirement | undefined,
  under: () => Requirement | undefined,
): Trust | undefined {
  return atLeast(store.trust, asTrust(elsewhere)) ? mostOf(store.trust, asTrust(under())) : undefined
}

/** A path given by a caller, inside a store that the trust may see; `undefined` for any other path. */
export interface Place {
  readonly store: Store
  readonly path: string
  readonly names: readonly string[]
  readonly full: string
}

/** Whether this trust may see the file at the place. */
export function isSeen(stores: Stores, { store, path, full }: Place, trust: Trust): boolean {
  const needs = furtherFile(stores.gate(), store, path, full)?.needs
  return needs !== undefined && atLeast(trust, needs)
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
  if (extra !== undefined) return { store, path, names, full: extra.path }
  const others = stores.all.filter((other) => other.name !== name)
  const full = join(store.folder, ...names)
  if (others.some(({ folder }) => isInside(full, folder) && isInside(folder, store.folder))) return undefined
  return { store, path, names, full }
}

function lastName(path: string): string {
  return path.split(sep).at(-1) ?? path
}

/**
 * The text of a file. Returns undefined if it is missing, not a regular file, too large, or not where it seems to be.
 */
export function readInside(full: string): string | undefined {
  const options = { followsLinks: false, mostBytes: MAX_FILE_BYTES }
  const found = withSafeFile(full, options, (file) =>
    new TextDecoder().decode(readBytes(file)).replaceAll("\r\n", "\n"),
  )
  return found.kind === "opened" ? found.value : undefined
}
