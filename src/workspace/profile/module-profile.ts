// Checks a profile exported by a module: names what it lacks, and lets a failing section say which one it is. Bundled
// profiles are not checked: a fault in one is a bug of ours.

import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { checkProfile, factProblem, type Profile } from "../../core/model/profile.ts"
import type { AnySectionSpec } from "../../core/model/section.ts"
import { firstLine } from "../../hooks/call.ts"

type Fields = Readonly<Record<string, unknown>>

/** `name` is the module's name in messages. */
export function profileIn(module: Fields, name: string): Profile {
  const exported = module.default ?? module.profile
  if (!isRecord(exported))
    throw new IncipitError("unknown-profile", `${name} exports no profile as default or as \`profile\``)
  const problem = problemOf(exported)
  if (problem !== undefined)
    throw new IncipitError("unknown-profile", `${name} exports a profile that cannot be used: ${problem}`)
  // Everything that is called or compared has been checked.
  return exported as Fields & Profile
}

/** A profile that a program passes in, which need not be type-checked. */
export function usableProfile(given: unknown): Profile {
  const problem = isRecord(given) ? problemOf(given) : "it is not an object"
  if (problem !== undefined)
    throw new IncipitError("unknown-profile", `the profile that was passed in cannot be used: ${problem}`)
  // Everything that is called or compared has been checked.
  const profile = given as Profile
  checkProfile(profile)
  return profile
}

function problemOf({ sections, markup, order }: Fields): string | undefined {
  if (!Array.isArray(sections)) return "`sections` is not a list"
  if (!isRecord(markup) || typeof markup.envelope !== "function" || typeof markup.escapes !== "function")
    return "`markup` must be `tags` or `headings` from incipit, or an object like them"
  if (order !== undefined && order !== "paced" && order !== "declared")
    return "`order` must be paced or declared"
  return sections.map(sectionProblem).find((problem) => problem !== undefined)
}

function sectionProblem(spec: unknown, at: number): string | undefined {
  if (!isRecord(spec) || typeof spec.id !== "string") return `section ${at + 1} has no id`
  if (typeof spec.build !== "function") return `the section "${spec.id}" has no function \`build\``
  const { pace, priority, trust, cut, onChange } = spec
  const problem = factProblem({ ...spec, pace, priority, trust, cut, onChange })
  return problem && `the section "${spec.id}" ${problem}`
}

/**
 * For callers that compile once and report to a person: a section that throws names itself. A turn handles this
 * differently.
 */
export function withNamedFaults(profile: Profile, name: string): Profile {
  return { ...profile, sections: profile.sections.map((spec) => named(spec, name)) }
}

function named(spec: AnySectionSpec, name: string): AnySectionSpec {
  const build = (scope: never) => {
    try {
      return spec.build(scope)
    } catch (error) {
      const why = `the section "${spec.id}" of the profile ${name} failed: ${firstLine(error)}`
      throw new IncipitError("section-failed", why, { cause: error })
    }
  }
  // The pace is the same, and so is the scope: it is only passed through.
  return { ...spec, build } as AnySectionSpec
}
