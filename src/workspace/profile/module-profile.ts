// The profile that a module exports or a program passes in, or a line that says what is wrong with it.
import { IncipitError } from "../../base/error.ts"
import { checkProfile, profileProblem, sectionProblem } from "../../core/compile/check-profile.ts"
import type { Profile } from "../../core/model/profile.ts"

type Fields = Readonly<Record<string, unknown>>

/** `name` is the module's name in messages, and the name of a profile that has none. */
export function profileIn(module: Fields, name: string): Profile {
  const exported = module.default ?? module.profile
  if (typeof exported !== "object" || exported === null)
    throw new IncipitError("unknown-profile", `${name} exports no profile as default or as \`profile\``)
  const profile: Fields = { name, ...exported }
  const problem = profileProblem(profile) ?? sectionsProblem(profile)
  if (problem !== undefined)
    throw new IncipitError("unknown-profile", `${name} exports a profile that cannot be used: ${problem}`)
  // Everything that is called or compared has been checked.
  return profile as Fields & Profile
}

/** A profile that a program passes in, which need not be type-checked. */
export function usableProfile(given: unknown): Profile {
  // Checked before anything of it is used.
  const profile = given as Profile
  checkProfile(profile)
  return profile
}

function sectionsProblem({ sections }: Fields): string | undefined {
  // `profileProblem` has checked that it is a list.
  const list = sections as readonly unknown[]
  return list.map((spec, at) => sectionProblem(spec, { at })).find((one) => one !== undefined)
}
