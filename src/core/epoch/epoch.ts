// Epochs: the first head of a session is its baseline and keeps its bytes. When a source changes, the section's
// freshness decides whether the tail tells the change, the change waits, or a new epoch begins.
import type { Digest } from "../../base/digest.ts"
import type { Candidate } from "../compile/candidate.ts"
import type { Ratio } from "../fit/budget.ts"
import type { TailForm } from "../layout/tail.ts"
import type { Block, Entry } from "../model/plan.ts"
import type { Audience } from "../model/scope.ts"
import { onChangeOf } from "../model/section.ts"

/** What a session has been told. Plain data: a host stores it and passes it in again. */
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

export function compareWithBaseline(
  baseline: Baseline,
  facts: BaselineFacts,
  candidates: readonly Candidate[],
  isUnavailable: (candidate: Candidate) => boolean,
): Comparison {
  const sent = new Map(baseline.entries.map((entry) => [entry.id, entry]))
  const changes = candidates.flatMap((candidate) => {
    const change = changeOf(candidate, sent.get(candidate.edited.section.id), isUnavailable)
    return change === undefined ? [] : [{ ...change, rewrites: rewritesFrom(baseline, change.id) }]
  })
  const ids = new Set(candidates.map(({ edited }) => edited.section.id))
  const gone = baseline.entries.find((entry) => !ids.has(entry.id) && entry.spans.length > 0)
  return { changes, rebase: whyRebase(baseline, facts, changes, gone) }
}

function whyRebase(
  baseline: Baseline,
  facts: BaselineFacts,
  changes: readonly Change[],
  gone: Entry | undefined,
): string | undefined {
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
  if (!same) return "the audience changed"
  if (gone !== undefined) return `${gone.id} was removed`
  const change = changes.find(({ how }) => how === "rebuild")
  return change && `${change.id} was ${change.why}`
}

/** Text that was removed, or that this audience may no longer see, must leave the prompt immediately. */
function changeOf(
  candidate: Candidate,
  sent: Entry | undefined,
  isUnavailable: (candidate: Candidate) => boolean,
): Omit<Change, "rewrites"> | undefined {
  const { section } = candidate.edited
  const { id } = section
  const now = candidate.source?.digest
  const then = sent?.current
  if (now === then) return undefined
  if (isUnavailable(candidate)) return { id, why: "unavailable", how: "wait" }
  const wasSaid = sent !== undefined && sent.spans.length > 0
  if (now === undefined) return wasSaid ? { id, why: "removed", how: "rebuild" } : undefined
  if (wasSaid && lostFile(candidate, sent)) return { id, why: "removed", how: "rebuild" }
  const why = then === undefined ? "added" : "changed"
  if (sent?.outcome.kind === "dropped") return { id, why, how: "wait" }
  const onChange = onChangeOf(section)
  return { id, why, how: onChange === "wait" || onChange === "rebuild" ? onChange : "append" }
}

/** Whether the section was told with text from a file that it no longer has. */
function lostFile({ gated }: Candidate, sent: Entry): boolean {
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
