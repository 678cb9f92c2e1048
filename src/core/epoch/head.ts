// The head: what keeps its bytes for an epoch. It never depends on a turn or on the conversation. With a baseline that
// still holds, nothing is fitted: the head is the baseline's, and changes are compared with it.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { type Budget, type BudgetLimits, fullBudget, limitsOf, overBudget } from "../fit/budget.ts"
import { entryOf, roomDiagnostics } from "../layout/entry.ts"
import type { Layout } from "../layout/layout.ts"
import type { TailForm } from "../layout/tail.ts"
import { buildHeadSections } from "../model/build-sections.ts"
import { DEFAULT_TTL } from "../model/cache-ttl.ts"
import type { Edit } from "../model/edit.ts"
import type { Agent, Session } from "../model/inputs.ts"
import type { Block, Entry } from "../model/plan.ts"
import type { Profile } from "../model/profile.ts"
import type { Section } from "../model/section.ts"
import { type Toolset, toolsetOf } from "../model/toolset.ts"
import { uniqueHidden, type View } from "../view/view.ts"
import { unavailableSource } from "../view/why-unused.ts"
import { type Kit, type Measured, measure, whyOut } from "../write/measure.ts"
import { type Baseline, type BaselineFacts, compareWithBaseline } from "./epoch.ts"
import type { HeadState } from "./head-state.ts"

/** The budget of a head, what the session was sent before, and whether a new epoch is wanted. */
export interface HeadOptions {
  /** How many tokens the prompt may take. A number is the limit of head and tail together. */
  readonly budget?: number | Partial<Budget>
  /** How long the provider should keep the cached prefix. Default: "5m". */
  readonly ttl?: string
  /** What the session has been sent so far. Without it, a new session begins. */
  readonly baseline?: Baseline
  /** Why the caller wants a new epoch: compaction, a reload, a cold cache. */
  readonly rebase?: string
  /** How tails reach the model. A form other than the baseline's begins an epoch; if absent, it isn't compared. */
  readonly tailForm?: TailForm
  readonly edits?: { readonly stable?: readonly Edit[]; readonly session?: readonly Edit[] }
  /** Diagnostics from gathering the sources; the plan passes them on. */
  readonly diagnostics?: readonly Diagnostic[]
}

export interface HeadInput {
  readonly agent: Agent
  readonly session: Session
  /** What the audience may see of both. */
  readonly visible: View
  readonly options: HeadOptions
}

/** What is the same for all heads and steps of a compiler. */
export interface HeadTools {
  readonly profile: Profile
  readonly layout: Layout
  readonly kit: Kit
}

export function buildHead({ agent, session, visible, options }: HeadInput, tools: HeadTools): HeadState {
  const { profile, layout, kit } = tools
  const toolset = toolsetOf(agent, {
    trust: session.audience.trust,
    order: profile.toolOrder,
    counter: kit.counter,
  })
  const edited = layout.head.edit(buildHeadSections(profile, visible), {
    profile,
    edits: options.edits ?? {},
  })
  const measured = measure(edited.sections, { view: visible, kit })
  const epoch = openEpoch(measured, { visible, toolset, options, tools })
  const { baseline } = epoch
  return {
    ...epoch,
    view: visible,
    ttl: ttlOf(options),
    toolset,
    measured,
    later: edited.later,
    edits: edited.results,
    present: new Map(
      baseline.entries.flatMap((entry) => (entry.spans.length > 0 ? [[entry.id, entry.pace] as const] : [])),
    ),
    blocks: baseline.blocks,
    hidden: uniqueHidden([...visible.hidden, ...measured.flatMap(({ gated }) => gated.hidden)]),
    diagnostics: [
      ...(options.diagnostics ?? []),
      ...edited.diagnostics,
      ...measured.flatMap(({ gated }) => gated.content?.diagnostics ?? []),
      ...unavailable([...edited.sections, ...edited.later.sections], visible),
      ...epoch.diagnostics,
      ...roomDiagnostics(baseline.entries),
    ],
  }
}

function ttlOf({ ttl = DEFAULT_TTL }: HeadOptions): string {
  return ttl
}

type OpenedEpoch = Pick<HeadState, "limits" | "baseline" | "started" | "changes" | "entries" | "diagnostics">

interface EpochInput {
  readonly visible: View
  readonly toolset: Toolset
  readonly options: HeadOptions
  readonly tools: HeadTools
}

/** Keeps the baseline if it still holds. Otherwise fits and places a new one. */
function openEpoch(
  measured: readonly Measured[],
  { visible, toolset, options, tools }: EpochInput,
): OpenedEpoch {
  const { profile, layout } = tools
  const facts = factsOf(visible, { profile, toolset, options })
  const before = options.baseline
  const comparison =
    before &&
    compareWithBaseline(before, {
      facts,
      sections: measured,
      isUnavailable: ({ section }) => unavailableSource(section, visible) !== undefined,
    })
  const reason = options.rebase ?? comparison?.rebase
  const { window } = profile
  const budget = fullBudget(options.budget ?? {}, { window, headShare: layout.headShare })
  if (before !== undefined && reason === undefined) {
    const limits = limitsOf({ ...budget, ratio: before.ratio }, toolset.tokens)
    const entries = withCurrent(before, measured)
    const changes = comparison?.changes ?? []
    return { limits, baseline: before, started: false, changes, entries, diagnostics: [] }
  }
  const limits = limitsOf(budget, toolset.tokens)
  const { entries, blocks, diagnostics } = placeHead(measured, { limits, ttl: ttlOf(options), tools })
  const baseline: Baseline = {
    ...facts,
    ratio: limits.ratio,
    epoch: (before?.epoch ?? 0) + 1,
    reason: reason ?? "the session began",
    entries,
    blocks,
  }
  return { limits, baseline, started: true, changes: [], entries, diagnostics }
}

function factsOf(
  { session }: View,
  {
    profile,
    toolset,
    options,
  }: { readonly profile: Profile; readonly toolset: Toolset; readonly options: HeadOptions },
): BaselineFacts {
  return {
    profile: profile.name,
    model: session.model,
    audience: session.audience,
    tools: toolset.digest,
    ...(options.tailForm && { tailForm: options.tailForm }),
  }
}

interface PlacedHead {
  readonly entries: readonly Entry[]
  readonly blocks: readonly Block[]
  readonly diagnostics: readonly Diagnostic[]
}

function placeHead(
  measured: readonly Measured[],
  { limits, ttl, tools }: { readonly limits: BudgetLimits; readonly ttl: string; readonly tools: HeadTools },
): PlacedHead {
  const { profile, layout, kit } = tools
  const { sections, requiredTokens } = layout.head.fit(measured, { profile, limits, kit })
  const { blocks, spans, diagnostics } = layout.head.place(sections, { ttl })
  const entries = sections.map((fitted) => entryOf(fitted, spans.get(fitted.measured.section.id)))
  const over = overBudget("head", { required: requiredTokens, limit: limits.head, ratio: limits.ratio })
  return { entries, blocks, diagnostics: [...diagnostics, ...over] }
}

/** The baseline's entries with the current digests of their sources, plus the sections that were added later. */
function withCurrent(baseline: Baseline, sections: readonly Measured[]): readonly Entry[] {
  const sent = new Map(baseline.entries.map((entry) => [entry.id, entry]))
  return sections.map((measured) => {
    const entry = sent.get(measured.section.id)
    const current = measured.source?.digest
    if (entry === undefined || (entry.spans.length === 0 && current !== entry.current)) {
      const outcome = measured.whole === undefined ? whyOut(measured) : LATER
      return entryOf({ measured, outcome, written: undefined })
    }
    return entry.current === current ? entry : { ...entry, current }
  })
}

const LATER = { kind: "unused", why: { kind: "added-later" } } as const

function unavailable(sections: readonly Section[], visible: View): readonly Diagnostic[] {
  const files = new Set(sections.flatMap((section) => unavailableSource(section, visible) ?? []))
  return [...files].map(({ path, trust, unavailable: reason = "" }) => ({
    code: "source-unavailable",
    path,
    reason,
    needs: trust,
  }))
}
