// Stores: folders of Markdown, each with a trust. Lists their files and reads one, never outside the folder and never
// through a link. Whoever may not see a store can not tell it from one that is not there.
import type { BigIntStats } from "node:fs"
import { join, sep } from "node:path"
import { atLeast, mostOf, TRUSTS, type Trust } from "../core/trust.ts"
import type { Gate } from "../files/gate.ts"
import { markdownFiles, pathBelow } from "../files/markdown-files.ts"
import { asTrust, type Requirement } from "../files/requirement.ts"
import { readBytes, withSafeFile } from "../files/safe-file.ts"
import { statOf } from "../files/twins.ts"

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
  /** Nobody can set it back: it tells an edit in place whose other times were restored. */
  readonly ctimeMs: number
  readonly size: number
  readonly inode: number
}

export interface Stores {
  readonly all: readonly Store[]
  readonly files: readonly StoreFile[]
  /** What files need by what they say themselves, and by other names that they have. Opened for each look at them. */
  readonly gate: () => MemoryGate
}

type MemoryGate = Pick<Gate, "guardUnder" | "guardElsewhere" | "guardsOfFound">

/**
 * The files of a store that need the same trust. Most need that of the store; a file whose frontmatter asks for more is
 * kept apart, so that it has no part in what others find.
 */
export interface StorePart extends Store {
  /** Under which the part is indexed. No name of a store has a slash. */
  readonly key: string
}

/** A larger file is not memory but data. */
export const MAX_FILE_BYTES = 1024 * 1024

export function visibleStores({ all }: Stores, trust: Trust): readonly Store[] {
  return all.filter((store) => atLeast(trust, store.trust))
}

/** The parts that a trust may see: of each store its own, then those that need more. */
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

/** All files of a store by the trust that each needs, in no order. Links are not followed. */
function listStore(stores: Stores, name: string): ReadonlyMap<Trust, readonly Listed[]> {
  const store = stores.all.find((one) => one.name === name)
  if (store === undefined) return new Map()
  const without = new Set(stores.all.filter((other) => other.name !== name).map(({ folder }) => folder))
  const { paths } = markdownFiles(store.folder, { skipsHidden: true, without })
  const gate = stores.gate()
  const found = new Map<string, NeedingFile>()
  // Walked from a real folder without following a link, so these paths are real.
  for (const path of paths)
    keep(found, walkedFile(gate, store, `${name}/${path}`, pathBelow(store.folder, path)))
  for (const { path } of stores.files.filter((file) => file.store === name))
    keep(found, furtherFile(gate, store, `${name}/${lastName(path)}`, path))
  return Map.groupBy(found.values(), ({ needs }) => needs)
}

interface NeedingFile extends Listed {
  readonly needs: Trust
}

function keep(found: Map<string, NeedingFile>, file: NeedingFile | undefined): void {
  if (file !== undefined) found.set(file.path, file)
}

function walkedFile(gate: MemoryGate, store: Store, path: string, full: string): NeedingFile | undefined {
  const stat = memoryStat(full)
  if (stat === undefined) return undefined
  const { elsewhere, under } = gate.guardsOfFound(full, stat)
  const needs = neededFor(store, elsewhere, () => under)
  return needs && { ...listedOf(path, full, stat), needs }
}

/** At a path that somebody gave, which may lead elsewhere. */
function furtherFile(gate: MemoryGate, store: Store, path: string, full: string): NeedingFile | undefined {
  const listed = listFile(path, full)
  const needs = listed && neededFor(store, gate.guardElsewhere(full), () => gate.guardUnder(full))
  return listed && needs && { ...listed, needs }
}

/** One look at each store, for all of its parts. */
export function listing(stores: Stores): (part: StorePart) => readonly Listed[] {
  const known = new Map<string, ReadonlyMap<Trust, readonly Listed[]>>()
  return ({ name, trust }) => {
    const files = known.get(name) ?? listStore(stores, name)
    known.set(name, files)
    return files.get(trust) ?? []
  }
}

function isMemoryName(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".")
}

function listFile(path: string, full: string): Listed | undefined {
  const stat = memoryStat(full)
  return stat && listedOf(path, full, stat)
}

function memoryStat(full: string): BigIntStats | undefined {
  const stat = statOf(full)
  return stat?.isFile() && stat.size <= MAX_FILE_BYTES ? stat : undefined
}

function listedOf(path: string, full: string, stat: BigIntStats): Listed {
  return {
    path,
    full,
    mtimeMs: Number(stat.mtimeNs) / 1e6,
    ctimeMs: Number(stat.ctimeNs) / 1e6,
    size: Number(stat.size),
    inode: Number(stat.ino),
  }
}

/**
 * The trust that a file needs, at least its store's; nothing if it is another name of one that needs more, since another
 * name gives nobody the right to read it.
 */
function neededFor(
  store: Store,
  elsewhere: Requirement | undefined,
  under: () => Requirement | undefined,
): Trust | undefined {
  return atLeast(store.trust, asTrust(elsewhere)) ? mostOf(store.trust, asTrust(under())) : undefined
}

/** A path as a caller gives it, inside a store that the trust reaches; `undefined` for whatever else it may be. */
export interface Place {
  readonly store: Store
  readonly path: string
  readonly names: readonly string[]
  readonly full: string
}

/** Whether the file at the place may be seen with this trust. */
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
  if (others.some(({ folder }) => full.startsWith(folder + sep) && folder.startsWith(store.folder + sep)))
    return undefined
  return { store, path, names, full }
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
  const options = { followsLinks: false, mostBytes: MAX_FILE_BYTES }
  const found = withSafeFile(full, options, (file) =>
    new TextDecoder().decode(readBytes(file)).replaceAll("\r\n", "\n"),
  )
  return found.kind === "opened" ? found.value : undefined
}
