// Epochs: the first head of a session is its baseline and keeps its bytes. When a source changes, the section's
// `onChange` decides whether the change is appended, the change waits, or a new epoch begins.
import type { Digest } from "../../base/digest.ts"
import type { Ratio } from "../fit/budget.ts"
import type { TailForm } from "../layout/tail.ts"
import type { Audience } from "../model/inputs.ts"
import type { Block, Entry } from "../model/plan.ts"
import { onChangeOf } from "../model/section.ts"
import type { Measured } from "../write/measure.ts"

/** What a session has been sent. Plain data: a host stores it and passes it in again. */
export interface Baseline {
  readonly epoch: number
  /** Why the epoch began. */
  readonly reason: string
  readonly profile: string
  readonly model: string | undefined
  readonly audience: Audience
  readonly tools: Digest
  /** How tails reach the model. Absent in baselines from before there was a choice; it then means "message". */
  readonly tailForm?: TailForm
  /** Fixed for the epoch: a better estimate of the model's tokens must not cut the head again. */
  readonly ratio: Ratio
  readonly entries: readonly Entry[]
  readonly blocks: readonly Block[]
}

/** The counted tokens of the head, from block `from` on. */
export function headTokens({ blocks }: Pick<Baseline, "blocks">, from = 0): number {
  return blocks.slice(from).reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The tokens that a new head writes again: from the first changed block on, or all if tools or model changed. */
export function rewrittenTokens(before: Baseline | undefined, now: Baseline): number {
  if (before?.tools !== now.tools || before.model !== now.model) return headTokens(now)
  const first = now.blocks.findIndex(({ text }, at) => text !== before.blocks[at]?.text)
  return first === -1 ? 0 : headTokens(now, first)
}

export type BaselineFacts = Pick<Baseline, "profile" | "model" | "audience" | "tools" | "tailForm">

/** A section whose source differs from the baseline. */
export interface Change {
  readonly id: string
  readonly why: "changed" | "added" | "removed" | "unavailable"
  readonly how: "append" | "wait" | "rebuild"
  /** Cached tokens that a new baseline would have to write again. */
  readonly rewrites: number
}

export interface Comparison {
  readonly changes: readonly Change[]
  /** Why the baseline must be replaced, if it must. */
  readonly rebase: string | undefined
}

export interface ComparisonInput {
  readonly facts: BaselineFacts
  readonly sections: readonly Measured[]
  /** Whether a source of the section exists but cannot be read now. */
  readonly isUnavailable: (measured: Measured) => boolean
}

export function compareWithBaseline(
  baseline: Baseline,
  { facts, sections, isUnavailable }: ComparisonInput,
): Comparison {
  const sent = new Map(baseline.entries.map((entry) => [entry.id, entry]))
  const changes = sections.flatMap((measured) => {
    const change = changeOf(measured, sent.get(measured.section.id), isUnavailable)
    return change === undefined ? [] : [{ ...change, rewrites: rewritesFrom(baseline, change.id) }]
  })
  const ids = new Set(sections.map(({ section }) => section.id))
  const gone = baseline.entries.find((entry) => !ids.has(entry.id) && entry.spans.length > 0)
  const rebase =
    whyOther(baseline, facts) ?? (gone === undefined ? whyChanged(changes) : `${gone.id} was removed`)
  return { changes, rebase }
}

/** Which fact differs from the baseline's. */
function whyOther(baseline: Baseline, facts: BaselineFacts): string | undefined {
  if (baseline.profile !== facts.profile) return "the profile changed"
  if (baseline.model !== facts.model) return "the model changed"
  if (facts.tailForm !== undefined && facts.tailForm !== (baseline.tailForm ?? "message"))
    return facts.tailForm === "system"
      ? "the model now gets turn context as system messages"
      : "the model no longer gets turn context as system messages"
  if (baseline.tools !== facts.tools) return "the tools changed"
  const { audience } = baseline
  const same =
    audience.trust === facts.audience.trust &&
    audience.situation === facts.audience.situation &&
    audience.mode === facts.audience.mode
  return same ? undefined : "the audience changed"
}

function whyChanged(changes: readonly Change[]): string | undefined {
  const change = changes.find(({ how }) => how === "rebuild")
  return change && `${change.id} was ${change.why}`
}

/** Text that was removed, or that this audience may no longer see, must leave the prompt immediately. */
function changeOf(
  measured: Measured,
  sent: Entry | undefined,
  isUnavailable: ComparisonInput["isUnavailable"],
): Omit<Change, "rewrites"> | undefined {
  const { section } = measured
  const { id } = section
  const now = measured.source?.digest
  const then = sent?.current
  if (now === then) return undefined
  if (isUnavailable(measured)) return { id, why: "unavailable", how: "wait" }
  const wasSent = sent !== undefined && sent.spans.length > 0
  if (now === undefined) return wasSent ? { id, why: "removed", how: "rebuild" } : undefined
  if (wasSent && lostFile(measured, sent)) return { id, why: "removed", how: "rebuild" }
  const why = then === undefined ? "added" : "changed"
  if (sent?.outcome.kind === "dropped") return { id, why, how: "wait" }
  const onChange = onChangeOf(section)
  return { id, why, how: onChange === "wait" || onChange === "rebuild" ? onChange : "append" }
}

/** Whether the section was sent with text from a file that it no longer has. */
function lostFile({ gated }: Measured, sent: Entry): boolean {
  const parts = gated.content?.parts ?? []
  const now = new Set(
    parts.flatMap((part) => ("from" in part && part.from?.kind === "file" ? [part.from.path] : [])),
  )
  return sent.spans.some(({ from }) => from?.kind === "file" && !now.has(from.path))
}

/** All tokens of the head from the first block that contains the section. */
function rewritesFrom(baseline: Baseline, id: string): number {
  const first =
    baseline.entries.find((entry) => entry.id === id)?.spans[0]?.block ?? baseline.blocks.length - 1
  return headTokens(baseline, Math.max(0, first))
}

/** The text of an entry in the baseline. */
export function baselineText(baseline: Baseline, id: string): string {
  const spans = baseline.entries.find((entry) => entry.id === id)?.spans ?? []
  return spans.map(({ block, start, end }) => baseline.blocks[block]?.text.slice(start, end) ?? "").join("")
}
