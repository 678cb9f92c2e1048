// A layout: where the text of a prompt goes. It has a part for the head, which is made once per epoch, and one for the
// step, which is made for each model call. Both take their sections the same way: edit, measure, fit, place. Only
// layouts.ts looks at the profile's `order`.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { HeadState, LaterSections } from "../epoch/head-state.ts"
import type { BudgetLimits } from "../fit/budget.ts"
import type { Fitted, FittedSections } from "../fit/fit-sections.ts"
import type { Edit, EditsApplied } from "../model/edit.ts"
import type { Turn } from "../model/inputs.ts"
import type { Block, Entry } from "../model/plan.ts"
import type { Profile } from "../model/profile.ts"
import type { Section } from "../model/section.ts"
import type { Kit, Measured } from "../write/measure.ts"
import type { HeadBlocks } from "./blocks.ts"
import type { KeyedEdit } from "./entry.ts"
import type { Moment, Sent } from "./tail.ts"

export interface Layout {
  /** How much of a budget for head and tail together the head may take. */
  readonly headShare: number
  readonly head: HeadLayout
  readonly step: StepLayout
}

/** What keeps its bytes for an epoch. It depends on no turn and no conversation. */
export interface HeadLayout {
  /** Applies the head's edits. What does not stay for the epoch waits for the step. */
  readonly edit: (built: readonly Section[], options: HeadEditOptions) => EditedHead
  readonly fit: (sections: readonly Measured[], options: HeadFitOptions) => FittedSections
  readonly place: (fitted: readonly Fitted[], options: { readonly ttl: string }) => HeadBlocks
}

export interface HeadEditOptions {
  readonly profile: Profile
  readonly edits: { readonly stable?: readonly Edit[]; readonly session?: readonly Edit[] }
}

export interface EditedHead extends EditsApplied {
  readonly later: LaterSections
}

export interface HeadFitOptions {
  readonly profile: Profile
  readonly limits: BudgetLimits
  readonly kit: Kit
}

/** What one model call adds to the head, or all of its text if the head is empty. */
export interface StepLayout {
  /** Builds the sections of the step and applies its edits. */
  readonly edit: (step: Step) => EditsApplied
  readonly fit: (sections: readonly Measured[], step: EditedStep) => FittedStep
  readonly place: (fitted: FittedStep, step: EditedStep) => PlacedStep
}

export interface Step {
  readonly profile: Profile
  readonly kit: Kit
  readonly head: HeadState
  readonly turn: Turn
  readonly moment: Moment
  /** In the model's tokens. */
  readonly conversationTokens: number
  /** Edits of this turn. */
  readonly edits: readonly Edit[]
}

export interface EditedStep extends Step {
  /** What became of the edits, those of the head first. */
  readonly results: readonly KeyedEdit[]
}

export interface FittedStep {
  /** Everything that the plan lists, including what has no text in this prompt. */
  readonly sections: readonly Fitted[]
  /** In the model's tokens. */
  readonly limits: { readonly head: number; readonly tail: number }
  readonly diagnostics: readonly Diagnostic[]
}

export interface PlacedStep {
  readonly head: readonly Block[]
  readonly tail: Block | undefined
  /** All of the plan's entries except the tools. */
  readonly entries: readonly Entry[]
  /** What the conversation contains once the tail is attached. */
  readonly sent: Sent
  /** Those of fitting and placing. */
  readonly diagnostics: readonly Diagnostic[]
}
