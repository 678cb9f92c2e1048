// A profile: an ordered list of section specs, that is, a prompt layout.
import { IncipitError } from "./error.ts"
import type { Markup } from "./markup.ts"
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
}

const ID = /^[A-Za-z][A-Za-z0-9_/-]*$/

/** Refuses a profile that can not be compiled. */
export function checkProfile(profile: Profile): void {
  const seen = new Set<string>()
  for (const { id } of profile.sections) {
    checkSectionId(id, `the profile "${profile.name}"`)
    if (seen.has(id)) {
      throw new IncipitError(
        "duplicate-section",
        `the profile "${profile.name}" has two sections with the id "${id}"`,
      )
    }
    seen.add(id)
  }
}

export function checkSectionId(id: string, where: string): void {
  if (!ID.test(id)) throw new IncipitError("bad-section-id", `${where} has a section with the id "${id}"`)
}
