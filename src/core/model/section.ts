// A section: one named part of a prompt. A spec says how it is built; a section is what came of it.
import type { Pace } from "../../base/pace.ts"
import type { Trust } from "../../base/trust.ts"
import type { Content } from "./content.ts"
import type { Freshness } from "./freshness.ts"
import type { Need } from "./priority.ts"
import type { Scopes } from "./section-scope.ts"

/** How a text that does not fit is shortened. `whole`: not at all. */
export const CUTS = ["whole", "lines", "ends", "headings", "menu"] as const
export type Cut = (typeof CUTS)[number]

interface SectionFacts<P extends Pace> {
  /** Unique in a profile: letters, digits, `-`, `_` and `/`. */
  readonly id: string
  readonly pace: P
  readonly need: Need
  /** Who may see the section at all; single parts may need more. */
  readonly trust: Trust
  readonly cut: Cut
  /** Default: `update` in the head, `turn` in the tail. */
  readonly freshness?: Freshness
  /** Stands over the section in heading markup. Default: made from the id. */
  readonly title?: string
  /** Written without an envelope. Only for a text that is trusted to keep its own bounds, such as the base. */
  readonly bare?: true
  /** Stands before the section, unless it is the first of the prompt. For a declared order. */
  readonly lead?: string
  /** Roles of the files it is made from: how the plan tells withheld and unavailable from absent. */
  readonly reads?: readonly string[]
  /**
   * Whose words it holds. `operator`: only the compiler's and those of the workspace's own files, so where a model
   * takes system messages within a conversation, turn text and updates of it are sent as one. Default: anybody's,
   * such as a person's, a tool's or a repository's; that always stays in a message of the user's.
   */
  readonly voice?: "operator"
}

export interface SectionSpec<P extends Pace> extends SectionFacts<P> {
  /** Formats what the scope holds, or leaves the section out, whole. Never fetches, never reads the clock. */
  readonly build: (scope: Scopes[P]) => Content | undefined
}

export type AnySectionSpec = SectionSpec<"stable"> | SectionSpec<"session"> | SectionSpec<"turn">

/** A section that was built, or added by an edit. */
export interface Section extends SectionFacts<Pace> {
  readonly content: Content | undefined
  /** In place of a tag that is made from the id. */
  readonly tag?: Tag
  /** Text of the head that is told in the tail for now: there it may take what the head has left. */
  readonly room?: "head"
  /** The conversation holds the text already, though not as a section: it counts as told. */
  readonly isSaid?: true
}

export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Ties the spec's pace to the scope that its build may see. */
export function section<P extends Pace>(spec: SectionSpec<P>): SectionSpec<P> {
  return spec
}

/** A spec with what came of it; the wishes of a single source go before the spec's own. */
export function builtSection(spec: AnySectionSpec, content: Content | undefined): Section {
  const { need = spec.need, freshness = spec.freshness } = content?.wish ?? {}
  return { ...spec, need, ...(freshness && { freshness }), content }
}

export function freshnessOf(facts: Section | AnySectionSpec): Freshness {
  return facts.freshness ?? (facts.pace === "turn" ? "turn" : "update")
}
