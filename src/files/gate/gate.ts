// The gate decides what a file requires of an audience, based on what the file is rather than on the name used to reach
// it. Every path from a file to an audience goes through here: prompt, imports, project context, tools, memory, skills,
// workflows. See docs/decisions/0018.
import type { BigIntStats } from "node:fs"
import { join } from "node:path"
import { mostOf, type Trust } from "../../base/trust.ts"
import { isInside } from "../inside.ts"
import { INCIPIT_FOLDER } from "../paths.ts"
import { foundPathOf } from "../real-path.ts"
import { type Declared, type DeclaredOptions, declaredBy } from "./declared.ts"
import { type HardLinks, hardLinksIn, statOf } from "./hard-links.ts"
import {
  isState,
  linkedPlaces,
  nearestPlace,
  type Place,
  type Places,
  type PlacesOptions,
  placesOf,
} from "./places.ts"
import { asTrust, type Requirement, strictest } from "./requirement.ts"
import { isSecret } from "./secret-names.ts"

export interface GateOptions extends PlacesOptions {
  /** More folders that may be used, such as the working directory. Real paths. */
  readonly folders?: readonly string[]
  /** How files declare who may see them. If absent, their declarations are ignored. */
  readonly declared?: DeclaredOptions
  /** The trust that the configuration assigns to a file. */
  readonly configured?: (path: string) => Trust | undefined
  /** The part of the configuration that `configured` depends on. */
  readonly settings?: unknown
}

/** Create one for each turn or lookup: it resolves links and skill folders once. Paths are real paths unless noted. */
export interface Gate {
  /** What a file requires beyond the usual trust of its folder; undefined if nothing more. */
  guardOf(path: string, person?: string): Requirement | undefined
  /** The default: familiar trust in the workspace, inner elsewhere. */
  usualTrust(path: string): Trust
  /**
   * For a file included by convention under its name here, such as USER.md: what its own contents and all its other
   * names require, but not this place. Accepts any path.
   */
  guardUnder(path: string, person?: string): Requirement | undefined
  /** What the file's other names alone require. Accepts any path. */
  guardElsewhere(path: string, person?: string): Requirement | undefined
  /**
   * `guardUnder` and `guardElsewhere` for a regular file found by walking real folders, without another system call per
   * file, so that walking thousands of files stays fast. `stat` comes from `statOf`.
   */
  guardsOfFound(path: string, stat: BigIntStats): FoundGuards
  /**
   * Everything that `guardsOfFound` depends on for files with one name in these folders, other than the files
   * themselves. While this string is the same, an unchanged file has the same requirement.
   */
  groundsFor(folders: readonly string[]): string
  /** A gate for the same lookup that has more folders in use, by real path. What was found is shared. */
  withFolders(folders: readonly string[]): Gate
}

export interface FoundGuards {
  readonly under: Requirement | undefined
  readonly elsewhere: Requirement | undefined
}

const SECRET: Requirement = { trust: "full", isClosed: true }
const STATE: Requirement = { trust: "never", isClosed: true }

export function openGate(options: GateOptions): Gate {
  return new OpenGate(options)
}

/** What gates for the same lookup share. */
interface Shared {
  readonly declared: Declared | undefined
  places?: Places
}

class OpenGate implements Gate {
  readonly #options: GateOptions
  readonly #shared: Shared
  readonly #hardLinks: HardLinks
  readonly #folders: readonly string[]

  constructor(options: GateOptions, shared?: Shared) {
    const { folder, root, home, folders = [], stores, declared } = options
    this.#options = options
    this.#shared = shared ?? { declared: declared && declaredBy(declared) }
    const own = home === undefined ? undefined : join(home, INCIPIT_FOLDER)
    const all = [root, folder, own, ...folders, ...stores.map((store) => store.folder)]
    this.#folders = [...new Set(all.filter((path) => path !== undefined))]
    this.#hardLinks = hardLinksIn(this.#folders)
  }

  guardOf(path: string, person?: string): Requirement | undefined {
    const stat = statOf(path)
    const names = this.#namesOf(path, stat)
    if (names === "too-many") return strictest([SECRET, this.#byName(path, stat, person)])
    return strictest(names.map((name) => this.#byName(name, name === path ? stat : statOf(name), person)))
  }

  usualTrust(path: string): Trust {
    const place = nearestPlace(this.#known(), path)
    return place.kind === "open" ? place.trust : "full"
  }

  guardUnder(path: string, person?: string): Requirement | undefined {
    const stat = statOf(path)
    const real = stat && foundPathOf(path)
    if (real === undefined) return undefined
    if (real !== path) return this.#byTarget(real, person)
    const own = [this.#byItself(path, stat), this.#byLinks(path, person)]
    return strictest([...own, this.#byOtherNames(path, stat, person)])
  }

  guardElsewhere(path: string, person?: string): Requirement | undefined {
    const stat = statOf(path)
    const real = stat && foundPathOf(path)
    if (real === undefined) return undefined
    return real === path ? this.#byOtherNames(path, stat, person) : this.#byTarget(real, person)
  }

  guardsOfFound(path: string, stat: BigIntStats): FoundGuards {
    const elsewhere = this.#byOtherNames(path, stat)
    return { elsewhere, under: strictest([this.#byItself(path, stat), this.#byLinks(path), elsewhere]) }
  }

  groundsFor(folders: readonly string[]): string {
    const skills = folders.map((folder) => this.#shared.declared?.of(folder, statOf(folder)))
    return JSON.stringify([this.#folders, this.#known(), this.#options.settings, skills])
  }

  withFolders(more: readonly string[]): Gate {
    const { folders = [] } = this.#options
    return new OpenGate({ ...this.#options, folders: [...folders, ...more] }, this.#shared)
  }

  #byOtherNames(path: string, stat: BigIntStats | undefined, person?: string): Requirement | undefined {
    const names = this.#namesOf(path, stat)
    if (names === "too-many") return SECRET
    const others = names.filter((name) => name !== path)
    return strictest(others.map((name) => this.#byOtherName(name, statOf(name), person)))
  }

  /** For what a link leads to. */
  #byTarget(real: string, person: string | undefined): Requirement | undefined {
    const stat = statOf(real)
    return strictest([this.#byOtherName(real, stat, person), this.#byOtherNames(real, stat, person)])
  }

  /** A link opens nothing: where the file requires nothing itself, the usual trust of its place counts. */
  #byOtherName(
    path: string,
    stat: BigIntStats | undefined,
    person: string | undefined,
  ): Requirement | undefined {
    const needs = this.#byName(path, stat, person)
    return needs?.trust === undefined ? { ...needs, trust: this.usualTrust(path) } : needs
  }

  #known(): Places {
    this.#shared.places ??= placesOf(this.#options)
    return this.#shared.places
  }

  #namesOf(path: string, stat: BigIntStats | undefined): readonly string[] | "too-many" {
    return stat?.isFile() && stat.nlink > 1n ? this.#hardLinks.namesOf(path, stat) : [path]
  }

  /** In an open place, the file's own declaration decides. Elsewhere, it can only require more. */
  #byName(path: string, stat: BigIntStats | undefined, person: string | undefined): Requirement | undefined {
    const place = this.#placeOf(path, person)
    const closed: Requirement | undefined =
      place.kind === "open" ? undefined : { trust: place.trust, isClosed: true }
    const needs = strictest([closed, this.#byItself(path, stat), this.#byLinks(path, person)])
    return place.kind === "store" && needs?.trust !== "never"
      ? { trust: asTrust(needs), isClosed: true }
      : needs
  }

  #placeOf(path: string, person: string | undefined): Place {
    const place = nearestPlace(this.#known(), path)
    const own = this.#folderOf(person)
    if (own === undefined || !isInside(path, own) || own.length < place.path.length) return place
    const isStore = own.length === place.path.length
    return { path: own, trust: isStore ? mostOf(place.trust, "inner") : "inner", kind: "own" }
  }

  /** A `person` that is not a single path segment has no folder. */
  #folderOf(person: string | undefined): string | undefined {
    const isName = person !== undefined && /^(?!\.+$)[^/\\]+$/.test(person)
    const { folder } = this.#options
    return isName && folder !== undefined ? join(folder, "users", person) : undefined
  }

  #byItself(path: string, stat: BigIntStats | undefined): Requirement | undefined {
    if (isState(path, this.#known())) return STATE
    if (isSecret(this.#wayOf(path))) return SECRET
    const said = this.#shared.declared?.of(path, stat)
    const trust = said?.trust ?? this.#options.configured?.(path)
    return trust === undefined ? said : { ...said, trust }
  }

  #byLinks(path: string, person?: string): Requirement | undefined {
    const own = this.#folderOf(person)
    return strictest(
      linkedPlaces(this.#known(), path).map(({ from, trust }) => ({
        trust: own !== undefined && isInside(from, own) ? "inner" : trust,
        isClosed: true,
      })),
    )
  }

  /**
   * The path relative to the innermost folder in use, so that a workspace can itself be inside a folder such as
   * .config.
   */
  #wayOf(path: string): string {
    const inner = this.#folders
      .filter((folder) => isInside(path, folder))
      .reduce((best, folder) => (folder.length > best.length ? folder : best), "")
    return inner === "" ? path : path.slice(inner.length + 1)
  }
}
