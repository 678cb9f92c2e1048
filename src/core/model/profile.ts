// A profile: an ordered list of section specs, that is, a prompt layout.
import { IncipitError } from "../../base/error.ts"
import { isReserved, type Markup, tagName } from "../write/markup.ts"
import type { Tool } from "./scope.ts"
import type { AnySectionSpec } from "./section.ts"

export interface Profile {
  readonly name: string
  /**
   * `paced`: slow text first, turn text in the tail. `declared`: everything in the head, in the order of the
   * list, which is how older systems lay it out; the plan then says what that costs the cache.
   */
  readonly order: "paced" | "declared"
  readonly markup: Markup
  readonly sections: readonly AnySectionSpec[]
  /** Tools that the profile knows by name. */
  readonly tools?: readonly Tool[]
  /** Names of those of them that are there where a host registers none. */
  readonly active?: readonly string[]
  /** `given`: tools stand in the order of registration, as some older systems have it. Default: sorted by name. */
  readonly toolOrder?: "sorted" | "given"
  /** Nobody may edit, drop or reorder its sections. */
  readonly sealed?: true
  /** The window that its system reckons with, where nobody states another. */
  readonly window?: number
  /** A declared order's own way to share room out, in place of the head's budget. */
  readonly room?: RoomPolicy
  /** Tools of its own that can read the files it tells, the first that is registered. Default: the usual file tools. */
  readonly readers?: readonly string[]
  /** What a cut text says in place of what was left out. Default: a line with the number of lines. */
  readonly cutMarker?: CutMarker
}

/** Room for text that yields, by tiers of need, in the model's tokens. */
export type RoomPolicy = (known: {
  readonly window: number
  readonly reserve: number
  readonly conversation: number
  /** What stable text and tools take; the room is reckoned without them. */
  readonly stable: number
}) => number

/** Must be short, and says what it can of where the rest is. */
export type CutMarker = (cut: {
  readonly keptTokens: number
  readonly allTokens: number
  readonly path: string | undefined
  /** The line of the file from which on it was left out. */
  readonly line: number | undefined
  /** A registered tool that can read the rest of the file. */
  readonly reader: string | undefined
}) => string

const ID = /^[A-Za-z][A-Za-z0-9_/-]*$/

/** Refuses a profile that cannot be compiled. */
export function checkProfile(profile: Profile): void {
  const seen = new Map<string, string>()
  for (const { id } of profile.sections) {
    if (!isSectionId(id))
      throw new IncipitError(
        "bad-section-id",
        `the profile "${profile.name}" has a section with the id "${id}"`,
      )
    const other = seen.get(tagName(id))
    if (other !== undefined) {
      const which =
        other === id ? `with the id "${id}"` : `with ids that are written alike, "${other}" and "${id}"`
      throw new IncipitError("duplicate-section", `the profile "${profile.name}" has two sections ${which}`)
    }
    seen.set(tagName(id), id)
  }
}

/** The tools that are there where a host registers none, in the profile's own order. */
export function activeTools({ tools = [], active = [] }: Profile): readonly Tool[] {
  return active.flatMap((name) => tools.filter((tool) => tool.name === name))
}

/** Whether a section can have the id: it is written as a tag, and some tags are the compiler's own. */
export function isSectionId(id: string): boolean {
  return ID.test(id) && !isReserved(id)
}
