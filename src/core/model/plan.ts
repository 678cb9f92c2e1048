// The plan: an entry for everything that could be in a prompt, with its outcome and the reason. The plan is for the
// operator. `visible` is the part that the session's own agent, tools and people may see.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Digest } from "../../base/digest.ts"
import type { Pace } from "../../base/pace.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import type { BudgetReport } from "../fit/budget.ts"
import type { UnusedReason } from "../view/unused.ts"
import type { Hidden } from "../view/view.ts"
import type { Provenance } from "./content.ts"
import type { Audience } from "./inputs.ts"
import type { Excerpt } from "./message.ts"
import type { Priority } from "./priority.ts"
import type { Cut } from "./section.ts"

/** What became of an entry, and the reason. */
export type Outcome =
  | { readonly kind: "included" }
  | { readonly kind: "truncated"; readonly from: number; readonly to: number; readonly how: Cut | "shorter" }
  /** Sent earlier in this epoch and unchanged since: the conversation already contains it. */
  | { readonly kind: "unchanged" }
  /** Sent earlier and no longer valid; one line says so. */
  | { readonly kind: "ended" }
  | { readonly kind: "withheld"; readonly needs: Trust; readonly has: Trust }
  | { readonly kind: "dropped"; readonly overBy: number }
  | { readonly kind: "unused"; readonly why: UnusedReason }

/** Where an entry's text is: UTF-16 offsets into a block's text. The tail is the block after the head's last. */
export interface Span {
  readonly block: number
  readonly start: number
  readonly end: number
  readonly from?: Provenance
}

/** `envelope` is the frame of the tail; `edit` is the result of one edit. */
export const ENTRY_KINDS = ["tool", "section", "envelope", "edit"] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** One line of the plan: a section or a tool, what became of it and why. */
export interface Entry {
  readonly kind: EntryKind
  readonly id: string
  readonly pace: Pace
  readonly priority: Priority
  readonly trust: Trust
  readonly outcome: Outcome
  /** The tokens that the entry takes in this prompt. */
  readonly tokens: number
  readonly spans: readonly Span[]
  /** The text that the model was sent, before any cut. */
  readonly sent: Digest | undefined
  /** The text as its sources have it now; differs from `sent` while a change is held back. */
  readonly current: Digest | undefined
  /** The authors who edited it, in order. */
  readonly by: readonly string[]
}

/** A run of sections of one placement, sent as one unit, that may end in a cache breakpoint. */
export interface Block {
  readonly placement: "head" | "tail"
  readonly pace: Pace
  readonly text: string
  readonly tokens: number
  readonly breakpoint: { readonly ttl: string } | undefined
  /** For the tail: the parts of its text that contain only the operator's words. */
  readonly operator?: readonly Excerpt[]
}

/**
 * Everything that could be in a prompt, with the reason why it is or is not. For the operator; `visible` is for
 * others.
 */
export interface Plan {
  readonly profile: string
  readonly model: string | undefined
  readonly audience: Audience
  readonly budget: BudgetReport
  readonly entries: readonly Entry[]
  /** The head's blocks, then the tail's if there is one. */
  readonly blocks: readonly Block[]
  readonly hidden: readonly Hidden[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Whether the entry's text, or a part of it, is in the prompt or was sent before. */
export function isSeen(entry: Entry): boolean {
  const { kind } = entry.outcome
  return (
    kind === "included" ||
    kind === "truncated" ||
    kind === "unchanged" ||
    kind === "ended" ||
    entry.spans.length > 0
  )
}

/** The plan without anything that the audience may not see, and without a trace that it existed. */
export function visible(plan: Plan): Plan {
  const may = (needs: Trust | undefined) => atLeast(plan.audience.trust, needs ?? "public")
  return {
    ...plan,
    entries: plan.entries.filter(
      (entry) => may(entry.trust) && entry.outcome.kind !== "withheld" && !isVacant(entry),
    ),
    hidden: [],
    diagnostics: plan.diagnostics.filter(({ needs }) => may(needs)),
  }
}

/** Absent entries are left out too: if they were listed, a missing withheld entry would be noticed. */
function isVacant(entry: Entry): boolean {
  return entry.outcome.kind === "unused" && entry.spans.length === 0
}
