// A section: one named part of a prompt. A spec says how to build it; a section is the result. After that it is
// measured (write/measure.ts), fitted (fit/fit-sections.ts), and becomes an entry of the plan (layout/entry.ts).
import type { Pace } from "../../base/pace.ts"
import type { Trust } from "../../base/trust.ts"
import type { Content } from "./content.ts"
import type { OnChange } from "./on-change.ts"
import type { Priority } from "./priority.ts"
import type { Scopes } from "./section-scope.ts"

/** How a text that doesn't fit is shortened. `whole`: not at all. */
export const CUTS = ["whole", "lines", "ends", "headings", "menu"] as const
/** How a section may be shortened when the budget is too small for it. */
export type Cut = (typeof CUTS)[number]

interface SectionFacts<P extends Pace> {
  /** Unique in a profile: letters, digits, `-`, `_` and `/`. */
  readonly id: string
  readonly pace: P
  readonly priority: Priority
  /** Who may see the section at all; single parts may need more. */
  readonly trust: Trust
  readonly cut: Cut
  /** Default: `append` in the head, `turn` in the tail. */
  readonly onChange?: OnChange
  /** The heading of the section in heading markup. Default: made from the id. */
  readonly title?: string
  /** Written without an envelope. Only for text that is trusted to keep within its bounds, such as the base. */
  readonly bare?: true
  /** Text before the section, unless the section is the first of the prompt. For a declared order. */
  readonly lead?: string
  /** Roles of the files it is made from, so that the plan can tell withheld and unavailable from absent. */
  readonly reads?: readonly string[]
  /**
   * Whose words it contains. `operator`: only the compiler's and those of the workspace's own files. If a model accepts
   * system messages within a conversation, turn text and updates with this voice are sent as one. Default: anyone's,
   * such as a person's, a tool's or a repository's; such text always stays in a user message.
   */
  readonly voice?: "operator"
}

/** What a profile says about one section: its facts, and the function that writes it. */
export interface SectionSpec<P extends Pace> extends SectionFacts<P> {
  /** Formats what the scope holds. Returns undefined to leave the section out. Never fetches, never reads the clock. */
  readonly build: (scope: Scopes[P]) => Content | undefined
}

/** A section spec of any pace. */
export type AnySectionSpec = SectionSpec<"stable"> | SectionSpec<"session"> | SectionSpec<"turn">

/** A section that was built or added by an edit, as the edits so far have left it. */
export interface Section extends SectionFacts<Pace> {
  readonly content: Content | undefined
  /** Replaces the tag made from the id. */
  readonly tag?: Tag
  /** Head text that the tail contains for now: it may use the budget that the head has left. */
  readonly budget?: "head"
  /** The conversation already contains the text, though not as a section, so it counts as sent. */
  readonly inConversation?: true
  /** Who edited it, in order. Only the compiler sets this. */
  readonly by?: readonly string[]
  /** An edit removed it. Only the compiler sets this. */
  readonly isRemoved?: true
}

export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Writes one section of a profile. Its `build` sees only what changes no faster than its pace. */
export function section<P extends Pace>(spec: SectionSpec<P>): SectionSpec<P> {
  return spec
}

/** The sections of the head, in order. */
export function buildHeadSections(
  specs: readonly AnySectionSpec[],
  { agent, session }: Scopes["session"],
): readonly Section[] {
  return specs.flatMap((spec) => {
    if (spec.pace === "turn") return []
    const content = spec.pace === "stable" ? spec.build({ agent }) : spec.build({ agent, session })
    return [builtSection(spec, content)]
  })
}

/** The sections of the turn, in order. */
export function buildTurnSections(
  specs: readonly AnySectionSpec[],
  scope: Scopes["turn"],
): readonly Section[] {
  return specs.flatMap((spec) => (spec.pace === "turn" ? [builtSection(spec, spec.build(scope))] : []))
}

/** The wishes of a single source override the spec's values. */
function builtSection(spec: AnySectionSpec, content: Content | undefined): Section {
  const { priority = spec.priority, onChange = spec.onChange } = content?.wish ?? {}
  return { ...spec, priority, ...(onChange && { onChange }), content }
}

export function onChangeOf(facts: Section | AnySectionSpec): OnChange {
  return facts.onChange ?? (facts.pace === "turn" ? "turn" : "append")
}
