// A step: the prompt of one model call, made from the head and the turn.
import { type BudgetReport, reportBudget } from "../fit/budget.ts"
import { keyEdits } from "../layout/entry.ts"
import type { FittedStep, PlacedStep, Step, StepLayout } from "../layout/layout.ts"
import type { Sent } from "../layout/tail.ts"
import type { Edit, EditsApplied } from "../model/edit.ts"
import { makePrompt, type Prompt } from "../model/prompt.ts"
import { uniqueHidden } from "../view/view.ts"
import { type Measured, measure } from "../write/measure.ts"
import { headTokens } from "./epoch.ts"

/** What a step needs to know about the conversation so far. */
export interface StepOptions {
  /** The size of the conversation, in the model's tokens. */
  readonly conversationTokens?: number
  /** `sent` of the previous prompt. Absent at the start of a session. */
  readonly sent?: Sent
  /** Edits by hooks that run every turn. */
  readonly edits?: readonly Edit[]
}

export function buildStep(step: Step, layout: StepLayout): Prompt {
  const { head, kit } = step
  const edited = layout.edit(step)
  const measured = measure(edited.sections, { view: head.view, kit, present: head.present })
  const withEdits = { ...step, results: keyEdits([...head.edits, ...edited.results]) }
  const fitted = layout.fit(measured, withEdits)
  const placed = layout.place(fitted, withEdits)
  return promptOf({ edited, measured, fitted, placed }, step)
}

interface Stages {
  readonly edited: EditsApplied
  readonly measured: readonly Measured[]
  readonly fitted: FittedStep
  readonly placed: PlacedStep
}

function promptOf({ edited, measured, fitted, placed }: Stages, step: Step): Prompt {
  const { head, profile } = step
  const { head: blocks, tail, sent } = placed
  const plan = {
    profile: profile.name,
    model: head.baseline.model,
    audience: head.view.session.audience,
    budget: budgetOf({ fitted, placed }, step),
    entries: [...head.toolset.entries, ...placed.entries],
    blocks: tail === undefined ? blocks : [...blocks, tail],
    hidden: uniqueHidden([...head.hidden, ...measured.flatMap(({ gated }) => gated.hidden)]),
    diagnostics: [
      ...head.diagnostics,
      ...edited.diagnostics,
      ...measured.flatMap(({ gated }) => gated.content?.diagnostics ?? []),
      ...placed.diagnostics,
    ],
  }
  return makePrompt({ plan, tools: head.toolset.tools, head: blocks, tail, sent })
}

function budgetOf(
  { fitted: { limits }, placed }: Pick<Stages, "fitted" | "placed">,
  { head, kit, conversationTokens }: Step,
): BudgetReport {
  return reportBudget(
    { ...head.limits, head: limits.head },
    {
      headTokens: headTokens({ blocks: placed.head }),
      tailTokens: placed.tail?.tokens ?? 0,
      tailLimit: limits.tail,
      conversationTokens,
      counter: kit.counter.name,
    },
  )
}
