// A profile is a prompt layout: an ordered list of section specs.
import { isReserved, type Markup } from "../write/markup.ts"
import type { Tool } from "./inputs.ts"
import type { AnySectionSpec } from "./section.ts"

/** A prompt layout: an ordered list of sections, and how they are written. */
export interface Profile {
  readonly name: string
  /**
   * `paced`: slow text first, turn text in the tail. `declared`: everything in the head, in the order of the list, as
   * older systems do it; the plan then reports what that costs the cache. Default: `paced`.
   */
  readonly order?: "paced" | "declared"
  /** How sections are set off from each other. Default: `tags`. */
  readonly markup?: Markup
  readonly sections: readonly AnySectionSpec[]
  /** Tools that the profile knows by name. */
  readonly tools?: readonly Tool[]
  /** The names of those tools that are active when the host registers none. */
  readonly active?: readonly string[]
  /** `given`: tools keep the order of registration, as in some older systems. Default: sorted by name. */
  readonly toolOrder?: "sorted" | "given"
  /** Its sections cannot be edited, dropped or reordered. */
  readonly sealed?: true
  /** The window that its system assumes when the caller doesn't specify one. */
  readonly window?: number
  /** For a declared order: replaces the head's budget with the profile's own rule for sharing room. */
  readonly room?: RoomPolicy
  /** Its own tools for reading the files it names; the first registered one is used. Default: the usual file tools. */
  readonly readers?: readonly string[]
  /** The text that replaces what a cut left out. Default: a line with the number of lines. */
  readonly cutMarker?: CutMarker
}

/** A profile's own rule for how much room its sections get. */
export type RoomPolicy = (known: {
  readonly window: number
  readonly reserve: number
  readonly conversation: number
  /** The size of stable text and tools; the room doesn't include them. */
  readonly stable: number
}) => number

/**
 * Writes the text that replaces what a cut left out. Must be short. Says where the rest of the text is, as far as it
 * knows.
 */
export type CutMarker = (cut: {
  readonly keptTokens: number
  readonly allTokens: number
  readonly path: string | undefined
  /** The first line of the file that was left out. */
  readonly line: number | undefined
  /** A registered tool that can read the rest of the file. */
  readonly reader: string | undefined
}) => string

const ID = /^[A-Za-z][A-Za-z0-9_/-]*$/

/** The tools that are active when the host registers none, in the profile's order. */
export function activeTools({ tools = [], active = [] }: Profile): readonly Tool[] {
  return active.flatMap((name) => tools.filter((tool) => tool.name === name))
}

/** Whether a section may have this id. Ids are written as tags, and some tags are reserved for the compiler. */
export function isSectionId(id: string): boolean {
  return ID.test(id) && !isReserved(id)
}
