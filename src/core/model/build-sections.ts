// Builds the sections of a profile. A `build` is code of the profile's author: whatever it throws or returns, the error
// names the section, so that a mistake is found where it was made.
import { IncipitError } from "../../base/error.ts"
import { firstLine } from "../../base/first-line.ts"
import { isTrust, TRUSTS } from "../../base/trust.ts"
import { isUnused, type Unused } from "../view/unused.ts"
import { type Content, textContent } from "./content.ts"
import { onChangesFor } from "./on-change.ts"
import type { Profile } from "./profile.ts"
import { type AnySectionSpec, SECTION_DEFAULTS, type Section } from "./section.ts"
import type { Scopes } from "./section-scope.ts"

type Built = ReturnType<AnySectionSpec["build"]>
type Specs = Pick<Profile, "name" | "sections">

/** The sections of the head, in order. */
export function buildHeadSections(
  { name, sections }: Specs,
  { agent, session }: Scopes["session"],
): readonly Section[] {
  return sections.flatMap((spec) => {
    if (spec.pace === "turn") return []
    const build = () => (spec.pace === "stable" ? spec.build({ agent }) : spec.build({ agent, session }))
    return [builtSection(spec, builtFrom(build, { id: spec.id, profile: name }))]
  })
}

/** The sections of the turn, in order. */
export function buildTurnSections({ name, sections }: Specs, scope: Scopes["turn"]): readonly Section[] {
  return sections.flatMap((spec) => {
    if (spec.pace !== "turn") return []
    return [
      builtSection(
        spec,
        builtFrom(() => spec.build(scope), { id: spec.id, profile: name }),
      ),
    ]
  })
}

/** The wishes of a single source override the spec's values. */
function builtSection(spec: AnySectionSpec, result: Content | Unused | undefined): Section {
  const why = isUnused(result) ? result.unused : undefined
  const built = isUnused(result) ? undefined : result
  const { trust = SECTION_DEFAULTS.trust, cut = SECTION_DEFAULTS.cut } = spec
  const content = built && withFittingWish(spec, built)
  const { priority = spec.priority ?? SECTION_DEFAULTS.priority, onChange = spec.onChange } =
    content?.wish ?? {}
  return { ...spec, priority, trust, cut, ...(onChange && { onChange }), content, unused: why }
}

/** A file may ask for an `on_change` that only sections of another pace can have. */
function withFittingWish({ id, pace }: AnySectionSpec, content: Content): Content {
  const { onChange, ...wish } = content.wish ?? {}
  const known = onChangesFor(pace)
  if (onChange === undefined || known.includes(onChange)) return content
  const ignored = { code: "on-change-without-effect", id, onChange, use: known.join(", ") } as const
  return { ...content, wish, diagnostics: [...(content.diagnostics ?? []), ignored] }
}

interface Where {
  readonly id: string
  /** Absent if the author of the section never named one. */
  readonly profile?: string
  /** What the function got, for the message when it fails. */
  readonly got?: string
}

function builtFrom(build: () => Built, where: Where): Content | Unused | undefined {
  const built = resultOf(build, where)
  return isUnused(built) ? built : asContent(built, where)
}

export function contentFrom(build: () => string | Content | undefined, where: Where): Content | undefined {
  return asContent(resultOf(build, where), where)
}

function asContent(built: string | Content | undefined, where: Where): Content | undefined {
  if (built === undefined) return undefined
  if (typeof built === "string") return textContent(built)
  const problem = contentProblem(built)
  if (problem !== undefined) throw new IncipitError("section-failed", `${named(where)} ${problem}`)
  return built
}

/** Calls code of the section's author. What it throws gets the name of the section. */
export function resultOf<T>(build: () => T, where: Where): T {
  try {
    return build()
  } catch (error) {
    const got = where.got === undefined ? "" : ` (${where.got})`
    const message = `${named(where)} failed: ${firstLine(error)}${got}`
    throw new IncipitError("section-failed", message, { cause: error })
  }
}

function named({ id, profile }: Where): string {
  return `the section "${id}"${profile === undefined ? "" : ` of the profile "${profile}"`}`
}

const INSTEAD = "`build` must return a string, a content with parts, or undefined to leave the section out"

/** Why a value isn't content. The types exclude these cases, but a profile may be written in JavaScript. */
function contentProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return `returned ${wordFor(value)}; ${INSTEAD}`
  if ("then" in value)
    return "returned a promise, but `build` cannot wait: load the text first and pass it in as an input"
  if (Array.isArray(value)) return `returned an array; ${INSTEAD}`
  if (!("parts" in value) || !Array.isArray(value.parts))
    return `returned an object without a list of parts; ${INSTEAD}`
  const problem = value.parts.map(partProblem).find((one) => one !== undefined)
  if (problem !== undefined) return problem
  const shorter: unknown = Reflect.get(value, "shorter") ?? []
  if (!Array.isArray(shorter)) return "returned a content whose `shorter` isn't a list of contents"
  return shorter.map(contentProblem).find((one) => one !== undefined)
}

function partProblem(part: unknown, at: number): string | undefined {
  const where = `returned a content whose part ${at + 1}`
  if (typeof part !== "object" || part === null)
    return `${where} is ${wordFor(part)}; a part is { text: "…" }`
  if ("slot" in part) return undefined
  if (!("text" in part) || typeof part.text !== "string")
    return `${where} has no text; a part is { text: "…" }`
  const trust: unknown = Reflect.get(part, "trust")
  if (trust === undefined || isTrust(trust)) return undefined
  return `${where} has the trust ${JSON.stringify(trust)}; use ${TRUSTS.join(", ")}`
}

/** A value as a short phrase: `null`, `false`, `the number 3`, `a function`. */
function wordFor(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value)
  return typeof value === "number" ? `the number ${value}` : `a ${typeof value}`
}
