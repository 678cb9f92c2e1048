// A section: one named part of a prompt. A spec says how to build it; a section is the result. After that it is
// measured (write/measure.ts), fitted (fit/fit-sections.ts), and becomes an entry of the plan (layout/entry.ts).
import type { Pace } from "../../base/pace.ts"
import type { Trust } from "../../base/trust.ts"
import type { Unused, UnusedReason } from "../view/unused.ts"
import type { Content } from "./content.ts"
import type { OnChange, OnChanges } from "./on-change.ts"
import type { Priority } from "./priority.ts"
import type { Scopes } from "./section-scope.ts"

/** How a text that doesn't fit is shortened. `whole`: not at all. */
export const CUTS = ["whole", "lines", "ends", "headings", "menu"] as const
/** How a section may be shortened when the budget is too small for it. */
export type Cut = (typeof CUTS)[number]

/** For sections of profiles, of incipit.yaml and of hooks that don't say otherwise. */
export const SECTION_DEFAULTS = { priority: "medium", trust: "public", cut: "lines" } as const

interface SectionFacts<P extends Pace> {
  /** Unique in a profile: letters, digits, `-`, `_` and `/`. */
  readonly id: string
  readonly pace: P
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
  /** Which text yields first when the budget is too small. Default: `medium`. */
  readonly priority?: Priority
  /** Who may see the section at all; single parts may need more. Default: `public`, everyone. */
  readonly trust?: Trust
  /** Default: `lines`. */
  readonly cut?: Cut
  /** Default: `append` for stable and session text, `turn` for turn text. */
  readonly onChange?: OnChanges[P]
  /**
   * Formats what the scope holds. Returns undefined or a blank string to leave the section out, or an `Unused` that says
   * why. Never fetches, never reads the clock.
   */
  readonly build: (scope: Scopes[P]) => string | Content | Unused | undefined
}

/** A section spec of any pace. */
export type AnySectionSpec = SectionSpec<"stable"> | SectionSpec<"session"> | SectionSpec<"turn">

/** A section that was built or added by an edit, as the edits so far have left it. */
export interface Section extends SectionFacts<Pace> {
  readonly priority: Priority
  readonly trust: Trust
  readonly cut: Cut
  readonly onChange?: OnChange
  readonly content: Content | undefined
  /** Without content: what the build says about the reason. */
  readonly unused?: UnusedReason | undefined
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

export function onChangeOf({ onChange, pace }: Section): OnChange {
  return onChange ?? (pace === "turn" ? "turn" : "append")
}
