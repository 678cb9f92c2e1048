// The places of a workspace that need more than its other files, by real path. The nearest place that holds a file
// decides. Where a place is a link, what it leads to is just as closed.
import { lstatSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import { mostOf, type Trust } from "../../base/trust.ts"
import { isInside } from "../inside.ts"
import { namesIn } from "../names-in.ts"
import { INCIPIT_FOLDER, isStateFile } from "../paths.ts"
import { existingPathOf } from "../real-path.ts"

export interface PlacesOptions {
  /** The folder of the agent, and the workspace around it; the same for the main agent. Real paths, if there are any. */
  readonly folder?: string
  readonly root?: string
  readonly home?: string | undefined
  readonly stores: readonly { readonly folder: string; readonly trust: Trust }[]
  /** Files and folders with a trust that is said elsewhere. */
  readonly further?: readonly { readonly path: string; readonly trust: Trust }[]
  /** Folders with state of agents, which may stand in the workspace: it can be the home folder. */
  readonly state?: readonly string[]
}

export interface Place {
  readonly path: string
  readonly trust: Trust
  /**
   * `open`: what a file says itself counts. `own`: it may only need more. `closed`: the same, in any case of letters.
   * `store`: of memory, which is kept by trust alone; what is for some situations is the owner's there.
   */
  readonly kind: "open" | "own" | "closed" | "store"
}

export interface Places {
  readonly all: readonly Place[]
  /** Where links lead that stand in a place's stead. A link may close what it leads to, never open it. */
  readonly linked: readonly LinkedPlace[]
  /** Real paths of folders with state. */
  readonly state: readonly string[]
}

interface LinkedPlace extends Place {
  /** Where the link stands. */
  readonly from: string
}

/** Names in a workspace that need more than its other files, and for whom. */
const CLOSED: Readonly<Record<string, Trust>> = {
  [INCIPIT_FOLDER]: "full",
  agents: "full",
  hooks: "full",
  "incipit.yaml": "full",
  "HEARTBEAT.md": "full",
  "MEMORY.md": "full",
  memory: "full",
  users: "full",
  "USER.md": "inner",
}

/** A person with more files, or a workspace with more people, has links that are not looked at one by one. */
const MOST_ENTRIES = 2_000

export function placesOf(options: PlacesOptions): Places {
  const { folder, root, home, stores, further = [] } = options
  const all: readonly Place[] = [
    // Around the folder of a further agent stands the workspace of all.
    ...[...new Set([root, folder])].flatMap((path) => (path === undefined ? [] : workspacePlaces(path))),
    ...(home === undefined ? [] : homePlaces(join(home, INCIPIT_FOLDER))),
    ...stores.map(({ folder: path, trust }) => ({ path, trust, kind: "store" }) as const),
    ...further.map((place) => ({ ...place, kind: "own" }) as const),
  ]
  const people = folder === undefined ? [] : peopleIn(join(folder, "users"))
  const entries = people.map((path) => ({ path, trust: "full", kind: "own" }) as const)
  const linked = [...all, ...entries].flatMap((place) => {
    const real = existingPathOf(place.path)
    if (real === undefined || real === place.path || place.kind === "open") return []
    return [{ ...place, path: real, from: place.path }]
  })
  return { all, linked, state: (options.state ?? []).flatMap((path) => existingPathOf(path) ?? []) }
}

function workspacePlaces(folder: string): readonly Place[] {
  const closed = Object.entries(CLOSED).map(
    ([name, trust]): Place => ({ path: join(folder, name), trust, kind: "closed" }),
  )
  return [{ path: folder, trust: "familiar", kind: "open" }, ...closed]
}

function homePlaces(folder: string): readonly Place[] {
  return [
    { path: folder, trust: "full", kind: "closed" },
    { path: join(folder, "skills"), trust: "inner", kind: "open" },
  ]
}

/** Folders of people and what is in them: the files about a person are where links are likely. */
function peopleIn(folder: string): readonly string[] {
  // What a link leads to counts as a whole, and may be any folder of the disk.
  const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder(folder)) return []
  const people = namesIn(folder).map((name) => join(folder, name))
  const folders = people.filter(isFolder)
  return [...people, ...folders.flatMap((path) => namesIn(path).map((name) => join(path, name)))].slice(
    0,
    MOST_ENTRIES,
  )
}

const ELSEWHERE: Place = { path: sep, trust: "inner", kind: "open" }

/** The innermost place; of two that are one, the stricter. */
export function nearestPlace({ all }: Places, path: string): Place {
  const folded = fold(path)
  return all
    .filter((place) => holds(place, path, folded))
    .reduce((best, place) => {
      const depth = place.path.length - best.path.length
      const isStricter = best.kind === "open" || mostOf(place.trust, best.trust) === place.trust
      return depth > 0 || (depth === 0 && isStricter) ? place : best
    }, ELSEWHERE)
}

export function linkedPlaces({ linked }: Places, path: string): readonly LinkedPlace[] {
  if (linked.length === 0) return []
  const folded = fold(path)
  return linked.filter((place) => holds(place, path, folded))
}

const FOLDED = new WeakMap<Place, string>()

/** Who could be let in by a place must be in just that one; who is kept out, in whatever may be taken for it. */
function holds(place: Place, path: string, folded: string): boolean {
  if (place.kind !== "closed") return isBelow(path, place.path)
  const known = FOLDED.get(place) ?? fold(place.path)
  FOLDED.set(place, known)
  return isBelow(folded, known)
}

/** As `isInside`, for paths that are real and absolute: this is asked for every file of a tree. */
function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === sep)
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase()
}

/** What an agent keeps of conversations is nobody's to open as files. */
export function isState(path: string, places: Places): boolean {
  const isKept = places.state.some(
    (folder) => isBelow(path, folder) && isStateFile(path.slice(folder.length + 1)),
  )
  return isKept || isDatabase(path, places)
}

function isDatabase(path: string, { linked }: Places): boolean {
  if (!/\.db(?:\.damaged-\d+)?(?:-wal|-shm|-journal)?$/i.test(basename(path))) return false
  const isOurs = fold(dirname(path)).split(sep).includes(INCIPIT_FOLDER)
  return isOurs || linked.some((place) => place.trust === "full" && isInside(path, place.path))
}
