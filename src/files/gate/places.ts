// Places in a workspace that need more trust than its other files, by real path. The innermost place that contains a
// file decides. If a place is a link, the link's target is closed in the same way.
import { type Dirent, lstatSync, readdirSync } from "node:fs"
import { basename, dirname, join, relative, sep } from "node:path"
import { oncePerObject } from "../../base/memo/once.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { mostOf, type Trust } from "../../base/trust.ts"
import { isInside } from "../inside.ts"
import { INCIPIT_FOLDER, isStateFile } from "../paths.ts"
import { existingPathOf } from "../real-path.ts"

export interface PlacesOptions {
  /**
   * The agent's folder and the workspace around it; both are the same for the main agent. Real paths, if there are any.
   */
  readonly folder?: string
  readonly root?: string
  readonly home?: string | undefined
  readonly stores: readonly { readonly folder: string; readonly trust: Trust }[]
  /** Files and folders whose trust is set elsewhere. */
  readonly further?: readonly { readonly path: string; readonly trust: Trust }[]
  /** Folders with agent state. They may be inside the workspace, which can be the home folder. */
  readonly state?: readonly string[]
}

export interface Place {
  readonly path: string
  readonly trust: Trust
  /**
   * `open`: the file's own declaration decides. `own`: the file may only require more. `closed`: the same, in any
   * letter case. `store`: a memory store, which filters by trust alone, so a file limited to some situations needs full
   * trust there.
   */
  readonly kind: "open" | "own" | "closed" | "store"
}

export interface Places {
  readonly all: readonly Place[]
  /** Targets of the places that are links. A link can close its target, never open it. */
  readonly linked: readonly LinkedPlace[]
  /** Real paths of folders with state. */
  readonly state: readonly string[]
}

interface LinkedPlace extends Place {
  /** The path of the link. */
  readonly from: string
}

/** Names in a workspace that need more trust than its other files. */
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

/** The most entries under users/ whose links are checked one by one. */
const MOST_ENTRIES = 2_000

export function placesOf(options: PlacesOptions): Places {
  const { folder, root, home, stores, further = [] } = options
  const all: readonly Place[] = [
    // A further agent's folder is inside the shared workspace.
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

/** The folders of people and the entries in them that may lead elsewhere: files about a person are often links. */
function peopleIn(folder: string): readonly string[] {
  // A linked folder counts as a whole and could be any folder on the disk, so it is not listed.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  const people = entriesIn(folder)
  const folders = people.filter((entry) => entry.isDirectory())
  const all = [...people, ...folders.flatMap(({ name }) => entriesIn(join(folder, name)))]
  const checked = all.slice(0, MOST_ENTRIES)
  // Under its real path, a folder lists real names, so only a link can lead elsewhere.
  const leading =
    existingPathOf(folder) === folder ? checked.filter((entry) => entry.isSymbolicLink()) : checked
  return leading.map(({ parentPath, name }) => join(parentPath, name))
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => byCodePoint(a.name, b.name))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

const ELSEWHERE: Place = { path: sep, trust: "inner", kind: "open" }

/** The innermost place; of two with the same path, the stricter one. */
export function nearestPlace({ all }: Places, path: string): Place {
  const folded = fold(path)
  return all
    .filter((place) => holds(place, path, folded))
    .reduce((best, place) => {
      const depth = place.path.length - best.path.length
      const isDefault = best.kind === "open" && best !== ELSEWHERE
      const isStricter = isDefault || mostOf(place.trust, best.trust) === place.trust
      return depth > 0 || (depth === 0 && isStricter) ? place : best
    }, ELSEWHERE)
}

export function linkedPlaces({ linked }: Places, path: string): readonly LinkedPlace[] {
  if (linked.length === 0) return []
  const folded = fold(path)
  return linked.filter((place) => holds(place, path, folded))
}

/** A place that opens must match exactly; a place that closes also matches paths a disk may treat as equal. */
function holds(place: Place, path: string, folded: string): boolean {
  if (place.kind !== "closed") return isInside(path, place.path)
  return isInside(folded, foldedPath(place))
}

const foldedPath = oncePerObject(({ path }: Place) => fold(path))

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase()
}

/** An agent's stored conversations are never opened as files, for any audience. */
export function isState(path: string, places: Places): boolean {
  const isKept = places.state.some((folder) => isInside(path, folder) && isStateFile(relative(folder, path)))
  return isKept || isDatabase(path, places)
}

function isDatabase(path: string, { linked }: Places): boolean {
  if (!/\.db(?:\.damaged-\d+)?(?:-wal|-shm|-journal)?$/i.test(basename(path))) return false
  const isOurs = fold(dirname(path)).split(sep).includes(INCIPIT_FOLDER)
  return isOurs || linked.some((place) => place.trust === "full" && isInside(path, place.path))
}
