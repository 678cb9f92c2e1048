// Checks a profile before it is compiled. The types exclude most of these mistakes, but a profile may be written in
// JavaScript, and one that loses text without a word is worse than one that is refused.
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { misspelled } from "../../base/nearest.ts"
import { PACES, type Pace } from "../../base/pace.ts"
import { TRUSTS } from "../../base/trust.ts"
import { onChangesFor } from "../model/on-change.ts"
import { PRIORITIES } from "../model/priority.ts"
import { isSectionId, type Profile } from "../model/profile.ts"
import { CUTS } from "../model/section.ts"
import { tagName } from "../write/markup.ts"

/** Throws if the profile cannot be compiled. */
export function checkProfile(profile: Profile): void {
  const problem = profileProblem(profile)
  if (problem !== undefined) throw new IncipitError("bad-profile", problem)
  const { name, sections } = profile
  const seen = new Map<string, string>()
  for (const [at, spec] of sections.entries()) {
    const lack = sectionProblem(spec, { at, of: ` of the profile "${name}"` })
    if (lack !== undefined) throw new IncipitError("bad-section", lack)
    const { id } = spec
    if (!isSectionId(id))
      throw new IncipitError("bad-section-id", `the profile "${name}" has a section with the id "${id}"`)
    const other = seen.get(tagName(id))
    if (other !== undefined) {
      const which =
        other === id ? `with the id "${id}"` : `with ids that give the same tag, "${other}" and "${id}"`
      throw new IncipitError("duplicate-section", `the profile "${name}" has two sections ${which}`)
    }
    seen.set(tagName(id), id)
  }
}

type Fields = Readonly<Record<string, unknown>>

/** What is wrong with a profile, apart from its sections. */
export function profileProblem(profile: unknown): string | undefined {
  if (!isRecord(profile)) return "the profile is missing; it is an object with a name and a list of sections"
  const { name, sections, markup, order } = profile
  if (typeof name !== "string" || name === "") return "the profile has no name"
  const where = `the profile "${name}"`
  if (!Array.isArray(sections)) return `${where} has no list of sections`
  if (markup !== undefined && !isMarkup(markup))
    return `the markup of ${where} must be tags or headings from incipit, or an object like them`
  const problem = optionProblem("order", order, ORDERS)
  return problem && `${where} ${problem}`
}

const ORDERS = ["paced", "declared"]

function isMarkup(markup: unknown): boolean {
  return isRecord(markup) && typeof markup.envelope === "function" && typeof markup.escapes === "function"
}

const KEYS = [
  ...["id", "pace", "priority", "trust", "cut", "onChange", "title", "bare", "lead", "reads", "voice"],
  "build",
] as const

/** Keys that were renamed after 0.1. */
const RENAMED: Fields = { need: "priority", freshness: "onChange" }

/** What is wrong with one section, such as `the section "x" has no pace; use stable, session, turn`. */
export function sectionProblem(
  spec: unknown,
  { at, of = "" }: { readonly at: number; readonly of?: string },
): string | undefined {
  if (!isRecord(spec)) return `section ${at + 1}${of} isn't an object`
  const { id } = spec
  if (typeof id !== "string") return `section ${at + 1}${of} has no id`
  const problem =
    keyProblem(spec) ??
    choiceProblem("pace", spec.pace, PACES) ??
    (["priority", "trust", "cut"] as const)
      .map((name) => optionProblem(name, spec[name], CHOICES[name]))
      .find((one) => one !== undefined) ??
    // The pace was checked above.
    optionProblem("onChange", spec.onChange, onChangesFor(spec.pace as Pace)) ??
    (typeof spec.build === "function" ? undefined : "has no function `build`")
  return problem && `the section "${id}"${of} ${problem}`
}

const CHOICES = { priority: PRIORITIES, trust: TRUSTS, cut: CUTS } as const

function keyProblem(spec: Fields): string | undefined {
  const odd = Object.keys(spec).find((key) => !KEYS.some((known) => known === key))
  if (odd === undefined) return undefined
  const renamed = RENAMED[odd]
  if (renamed !== undefined) return `has the key "${odd}", which is now called ${String(renamed)}`
  const meant = misspelled(odd, KEYS)
  return `has an unknown key "${odd}"${meant === undefined ? "" : `; did you mean ${meant}?`}`
}

function optionProblem(name: string, value: unknown, known: readonly string[]): string | undefined {
  return value === undefined ? undefined : choiceProblem(name, value, known)
}

function choiceProblem(name: string, value: unknown, known: readonly string[]): string | undefined {
  if (known.some((one) => one === value)) return undefined
  const found = value === undefined ? `no ${name}` : `the ${name} ${JSON.stringify(value)}`
  return `has ${found}; use ${known.join(", ")}`
}
