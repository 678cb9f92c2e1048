// Which trust a file needs by where it stands: the nearest place that holds it decides. Places are real paths, so
// whatever alias was used has gone already; only hard links are left, and those are told by device and inode.

import { lstatSync, readdirSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import { errorCode } from "../core/system-error.ts"
import { mostOf, type Trust } from "../core/trust.ts"
import { isInside } from "../files/inside.ts"
import { INCIPIT_FOLDER } from "../files/paths.ts"
import { existingPathOf } from "../files/real-path.ts"

export interface PlacesOptions {
  /** All three are real paths. */
  readonly workspace: string
  readonly home: string | undefined
  readonly stores: readonly { readonly folder: string; readonly trust: Trust }[]
  readonly person: string | undefined
  /** What is known of a file that was gathered, by its real path. */
  readonly trustOf: (path: string) => Trust | undefined
}

interface Place {
  readonly path: string
  readonly needs: Trust
  /** `open`: what is known of a file counts. `own`: it may only need more. `closed`: the same, in any case of letters. */
  readonly kind: "open" | "own" | "closed"
}

interface Places {
  readonly all: readonly Place[]
  /** Where links lead that stand in a place's stead. A link may close what it leads to, never open it. */
  readonly linked: readonly Place[]
  /** Where the agent keeps its databases, if that is not in a folder of that name. */
  readonly state: readonly string[]
}

/** The folder of what belongs to Incipit itself. */
const STATE = INCIPIT_FOLDER

/** Names in a workspace that need more than its other files, and for whom. */
const CLOSED: Readonly<Record<string, Trust>> = {
  [STATE]: "full",
  agents: "full",
  "incipit.yaml": "full",
  "HEARTBEAT.md": "full",
  "MEMORY.md": "full",
  memory: "full",
  users: "full",
  "USER.md": "inner",
}

/** Files that are there to hold keys. */
const SECRETS = /^\.(env|netrc|npmrc|pgpass)(\.|$)/i

/** More are not looked through for other names of a file; what has several names then needs full trust. */
const MOST_TWINS = 20_000

/** What a file needs, or `never`: the databases of the agent are nobody's to open as files. */
export function placesOf(options: PlacesOptions): (path: string) => Trust | "never" {
  const places = allPlaces(options)
  let twins: Twins | undefined
  const byPlace = (path: string): Trust | "never" => {
    if (isDatabase(path, places)) return "never"
    if (SECRETS.test(basename(path))) return "full"
    const { needs, kind } = nearest(places.all, path)
    const known = options.trustOf(path) ?? needs
    const linked = places.linked.filter((place) => holds(place, path)).map((place) => place.needs)
    return linked.reduce(mostOf, kind === "open" ? known : mostOf(needs, known))
  }
  return (path) => {
    const identity = lookAt(path).twin
    if (identity === undefined) return byPlace(path)
    twins ??= twinsIn([...places.all, ...places.linked])
    if (!twins.isWhole) return byPlace(path) === "never" ? "never" : "full"
    return [path, ...(twins.paths.get(identity) ?? [])].map(byPlace).reduce(stricter)
  }
}

function allPlaces({ workspace, home, stores, person }: PlacesOptions): Places {
  const isName = person !== undefined && /^(?!\.+$)[^/\\]+$/.test(person)
  const all: readonly Place[] = [
    // Around the folder of a further agent stands the workspace of all.
    ...(basename(dirname(workspace)) === "agents" ? closedIn(dirname(dirname(workspace))) : []),
    { path: workspace, needs: "familiar", kind: "open" },
    ...closedIn(workspace),
    ...(home === undefined ? [] : homePlaces(join(home, STATE))),
    ...stores.map(({ folder, trust }) => ({ path: folder, needs: trust, kind: "own" }) as const),
    ...(isName ? [{ path: join(workspace, "users", person), needs: "inner", kind: "own" } as const] : []),
  ]
  const linked = all.flatMap((place) => {
    const real = existingPathOf(place.path)
    const isState = basename(place.path) === STATE
    return real === undefined || real === place.path ? [] : [{ ...place, path: real, isState }]
  })
  return { all, linked, state: linked.filter(({ isState }) => isState).map(({ path }) => path) }
}

function closedIn(folder: string): readonly Place[] {
  return Object.entries(CLOSED).map(([name, needs]) => ({ path: join(folder, name), needs, kind: "closed" }))
}

function homePlaces(folder: string): readonly Place[] {
  return [
    { path: folder, needs: "full", kind: "closed" },
    { path: join(folder, "skills"), needs: "inner", kind: "open" },
  ]
}

const ELSEWHERE: Place = { path: sep, needs: "inner", kind: "open" }

/** The innermost place; of two that are one, the stricter. */
function nearest(places: readonly Place[], path: string): Place {
  return places
    .filter((place) => holds(place, path))
    .reduce((best, place) => {
      const depth = place.path.length - best.path.length
      return depth > 0 || (depth === 0 && mostOf(place.needs, best.needs) === place.needs) ? place : best
    }, ELSEWHERE)
}

/** Who could be let in by a place must be in just that one; who is kept out, in whatever may be taken for it. */
function holds({ path: place, kind }: Place, path: string): boolean {
  return kind === "closed" ? isInside(folded(path), folded(place)) : isInside(path, place)
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase()
}

function isDatabase(path: string, { state }: Places): boolean {
  if (!/\.db(?:-wal|-shm|-journal)?$/i.test(path)) return false
  const folders = folded(dirname(path)).split(sep)
  return folders.includes(STATE) || state.some((folder) => isInside(path, folder))
}

function stricter(a: Trust | "never", b: Trust | "never"): Trust | "never" {
  return a === "never" || b === "never" ? "never" : mostOf(a, b)
}

interface Twins {
  /** By device and inode: the paths of files in places of their own. */
  readonly paths: ReadonlyMap<string, readonly string[]>
  readonly isWhole: boolean
}

function twinsIn(places: readonly Place[]): Twins {
  const paths = new Map<string, string[]>()
  const waiting = places.filter(({ kind }) => kind !== "open").map(({ path }) => path)
  let seen = 0
  for (let path = waiting.pop(); path !== undefined && seen < MOST_TWINS; path = waiting.pop()) {
    seen += 1
    const { twin, names } = lookAt(path, true)
    for (const name of names) waiting.push(join(path, name))
    if (twin !== undefined) paths.set(twin, [...(paths.get(twin) ?? []), path])
  }
  return { paths, isWhole: seen < MOST_TWINS }
}

interface Looked {
  /** Device and inode, of a file that has more than one name. */
  readonly twin?: string
  readonly names: readonly string[]
}

function lookAt(path: string, wantsNames = false): Looked {
  try {
    const stat = lstatSync(path, { bigint: true })
    if (stat.isFile() && stat.nlink > 1n) return { twin: `${stat.dev}:${stat.ino}`, names: [] }
    return { names: wantsNames && stat.isDirectory() ? readdirSync(path) : [] }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return { names: [] }
  }
}
