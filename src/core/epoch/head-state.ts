// What a step needs to know about the head of its session.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Pace } from "../../base/pace.ts"
import type { BudgetLimits } from "../fit/budget.ts"
import type { Edit, EditResult } from "../model/edit.ts"
import type { Block, Entry } from "../model/plan.ts"
import type { Section } from "../model/section.ts"
import type { Toolset } from "../model/toolset.ts"
import type { Hidden, View } from "../view/view.ts"
import type { Measured } from "../write/measure.ts"
import type { Baseline, Change } from "./epoch.ts"

export interface HeadState {
  readonly view: View
  readonly limits: BudgetLimits
  readonly ttl: string
  readonly toolset: Toolset
  /** The sections that stay for the epoch. */
  readonly measured: readonly Measured[]
  /** What waits for the step. */
  readonly later: LaterSections
  readonly baseline: Baseline
  /** Whether this head began the epoch. */
  readonly started: boolean
  readonly changes: readonly Change[]
  readonly edits: readonly EditResult[]
  /** The sections that were sent, for turn text that depends on them. */
  readonly present: ReadonlyMap<string, Pace>
  readonly entries: readonly Entry[]
  readonly blocks: readonly Block[]
  readonly hidden: readonly Hidden[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface LaterSections {
  readonly sections: readonly Section[]
  /** Edits that are applied in each step, before the turn's own. */
  readonly edits: readonly Edit[]
}
