// A profile as a configuration wants it: sections switched off, or with another need or freshness.
import type { Diagnostic } from "../core/diagnostic.ts"
import { nearest } from "../core/nearest.ts"
import type { Need } from "../core/need.ts"
import type { Profile } from "../core/profile.ts"
import type { Freshness } from "../core/section.ts"

export type SectionSetting =
  | "off"
  | "on"
  | boolean
  | { readonly need?: Need | undefined; readonly freshness?: Freshness | undefined }

export interface Adjusted {
  readonly profile: Profile
  readonly diagnostics: readonly Diagnostic[]
}

export function adjustProfile(
  profile: Profile,
  settings: Readonly<Record<string, SectionSetting>>,
): Adjusted {
  const known = profile.sections.map(({ id }) => id)
  const diagnostics = Object.keys(settings)
    .filter((id) => !known.includes(id))
    .map((id): Diagnostic => {
      const near = nearest(id, known)
      return {
        code: "unknown-section",
        id,
        profile: profile.name,
        ...(near !== undefined && { nearest: near }),
      }
    })
  const sections = profile.sections.flatMap((spec) => {
    const setting = Object.hasOwn(settings, spec.id) ? settings[spec.id] : undefined
    if (setting === "off" || setting === false) return []
    if (typeof setting !== "object") return [spec]
    const { need = spec.need, freshness = spec.freshness } = setting
    return [{ ...spec, need, ...(freshness && { freshness }) }]
  })
  return { profile: { ...profile, sections }, diagnostics }
}
