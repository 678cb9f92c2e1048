// The head: stable and session text, fitted once per epoch. It never depends on a turn or on the conversation.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Pace } from "../../base/pace.ts"
import { type Candidate, candidatesOf, fitSettled, type Kit } from "../compile/candidate.ts"
import { entryOf, placedOf, roomFindings } from "../compile/entry.ts"
import {
  type Budget,
  defaultBudget,
  inCountedTokens,
  type Limits,
  limitsOf,
  overBudget,
} from "../fit/budget.ts"
import { fitPaces } from "../fit/share-paces.ts"
import { type LaidOut, layOutHead } from "../layout/layout.ts"
import type { TailForm } from "../layout/tail.ts"
import { applyEdits, type Edit, type Edited, type EditResult, targetOf } from "../model/edit.ts"
import type { Block, Entry } from "../model/plan.ts"
import type { Profile } from "../model/profile.ts"
import type { Agent, Session } from "../model/scope.ts"
import { builtSection } from "../model/section.ts"
import { type Toolset, toolsetOf } from "../model/toolset.ts"
import { unavailableSource } from "../view/gate.ts"
import { type Hidden, uniqueHidden, type View, view } from "../view/view.ts"
import { type Baseline, type BaselineFacts, type Change, compareWithBaseline, headTokens } from "./epoch.ts"

export interface HeadOptions {
  readonly budget?: Budget
  /** How long the provider should keep the cached prefix. Default: "5m". */
  readonly ttl?: string
  /** What the session has been told so far. Without it, a new session begins. */
  readonly baseline?: Baseline
  /** Why the caller wants a new epoch: compaction, a reload, a cold cache. */
  readonly rebase?: string
  /** How tails reach the model. A form other than the baseline's begins an epoch; if absent, it isn't compared. */
  readonly tailForm?: TailForm
  readonly edits?: { readonly stable?: readonly Edit[]; readonly session?: readonly Edit[] }
  /** Diagnostics from gathering the sources; the plan passes them on. */
  readonly diagnostics?: readonly Diagnostic[]
}

/** What a step needs to know about the head. */
export interface HeadState {
  readonly view: View
  readonly limits: Limits
  readonly ttl: string
  readonly toolset: Toolset
  /** The sections as built and edited. `candidates` is empty in a declared order, where nothing stays for an epoch. */
  readonly sections: readonly Edited[]
  readonly candidates: readonly Candidate[]
  readonly baseline: Baseline
  /** Whether this head began the epoch. */
  readonly started: boolean
  readonly changes: readonly Change[]
  /** The results of the edits, and the edits and added sections that concern the turn. */
  readonly edits: readonly EditResult[]
  readonly turn: { readonly sections: readonly Edited[]; readonly edits: readonly Edit[] }
  /** The sections that were told, for turn text that depends on them. */
  readonly present: ReadonlyMap<string, Pace>
  readonly entries: readonly Entry[]
  readonly blocks: readonly Block[]
  readonly tokens: number
  readonly hidden: readonly Hidden[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface HeadInput {
  readonly agent: Agent
  readonly session: Session
  readonly options: HeadOptions
}

export function buildHead(profile: Profile, kit: Kit, { agent, session, options }: HeadInput): HeadState {
  const seen = view(agent, session, profile.toolOrder)
  const toolset = toolsetOf(agent, session.audience.trust, profile.toolOrder ?? "sorted", kit.counter)
  const ttl = options.ttl ?? "5m"
  const edited = editHead(profile, buildSections(profile, seen), options)
  // In a declared order nothing outlives the turn: each step gates and lays out everything.
  const candidates = profile.order === "paced" ? candidatesOf(edited.sections, seen, kit) : []
  const facts = {
    profile: profile.name,
    model: session.model,
    audience: session.audience,
    tools: toolset.digest,
    ...(options.tailForm && { tailForm: options.tailForm }),
  }
  const comparison =
    options.baseline &&
    compareWithBaseline(options.baseline, facts, candidates, (candidate) => isUnavailable(candidate, seen))
  const reason = options.rebase ?? comparison?.rebase
  const kept = reason === undefined ? options.baseline : undefined
  const budget = options.budget ?? defaultBudget(profile)
  const limits = limitsOf(kept === undefined ? budget : { ...budget, ratio: kept.ratio }, toolset.tokens)
  const fresh = kept === undefined ? layHead(candidates, { profile, limits, ttl }, kit) : undefined
  const baseline = kept ?? makeBaseline({ ...facts, ratio: limits.ratio }, fresh, options.baseline, reason)
  const hidden = [...seen.hidden, ...candidates.flatMap(({ gated }) => gated.hidden)]
  return {
    view: seen,
    limits,
    ttl,
    toolset,
    sections: edited.sections,
    candidates,
    baseline,
    started: kept === undefined,
    changes: kept === undefined ? [] : (comparison?.changes ?? []),
    edits: edited.results,
    turn: edited.turn,
    present: new Map(
      baseline.entries.flatMap((entry) => (entry.spans.length > 0 ? [[entry.id, entry.pace] as const] : [])),
    ),
    entries: kept === undefined ? baseline.entries : withCurrent(baseline, candidates),
    blocks: baseline.blocks,
    tokens: headTokens(baseline),
    hidden: uniqueHidden(hidden),
    diagnostics: [
      ...(options.diagnostics ?? []),
      ...edited.diagnostics,
      ...candidates.flatMap(diagnostics),
      ...unavailable(edited.sections, seen),
      ...(fresh?.diagnostics ?? []),
      ...roomFindings(baseline.entries),
    ],
  }
}

function buildSections(profile: Profile, { agent, session }: View): readonly Edited[] {
  const sections: Edited[] = []
  for (const spec of profile.sections) {
    if (spec.pace === "stable") sections.push({ section: builtSection(spec, spec.build({ agent })), by: [] })
    if (spec.pace === "session")
      sections.push({ section: builtSection(spec, spec.build({ agent, session })), by: [] })
  }
  return sections
}

interface EditedHead {
  readonly sections: readonly Edited[]
  readonly turn: HeadState["turn"]
  readonly results: readonly EditResult[]
  readonly diagnostics: readonly Diagnostic[]
}

/** A slow edit may also change faster text. Whatever concerns the turn waits for the step. */
function editHead(profile: Profile, built: readonly Edited[], { edits = {} }: HeadOptions): EditedHead {
  const all = [...(edits.stable ?? []), ...(edits.session ?? [])]
  if (profile.order === "declared")
    return { sections: built, turn: { sections: [], edits: all }, results: [], diagnostics: [] }
  const turnIds = new Set(profile.sections.flatMap(({ id, pace }) => (pace === "turn" ? [id] : [])))
  const now = (list: readonly Edit[] = []) => list.filter((edit) => !turnIds.has(targetOf(edit)))
  const stable = applyEdits(built, now(edits.stable), "stable", [])
  const session = applyEdits(stable.sections, now(edits.session), "session", [])
  const ofPace = (pace: Pace) => session.sections.filter(({ section }) => section.pace === pace)
  return {
    sections: [...ofPace("stable"), ...ofPace("session")],
    turn: { sections: ofPace("turn"), edits: all.filter((edit) => turnIds.has(targetOf(edit))) },
    results: [...stable.results, ...session.results],
    diagnostics: [...stable.diagnostics, ...session.diagnostics],
  }
}

interface FreshHead extends LaidOut {
  readonly entries: readonly Entry[]
}

function layHead(
  candidates: readonly Candidate[],
  { profile, limits, ttl }: { readonly profile: Profile; readonly limits: Limits; readonly ttl: string },
  kit: Kit,
): FreshHead {
  const options = {
    limit: inCountedTokens(limits.head, limits.ratio),
    shares: limits.shares,
    hasSession: profile.sections.some(({ pace }) => pace === "session"),
  }
  const { results, requiredTokens } = fitSettled(candidates, kit, (settled) =>
    fitPaces(settled, options, kit),
  )
  const laidOut = layOutHead(placedOf(results), { order: "paced", ttl })
  const entries = results.map((result) => entryOf(result, laidOut.spans))
  const over = overBudget("head", limits.head, requiredTokens, limits.ratio)
  return { ...laidOut, entries, diagnostics: [...laidOut.diagnostics, ...over] }
}

function makeBaseline(
  facts: BaselineFacts & Pick<Baseline, "ratio">,
  fresh: FreshHead | undefined,
  before: Baseline | undefined,
  reason: string | undefined,
): Baseline {
  return {
    ...facts,
    epoch: (before?.epoch ?? 0) + 1,
    reason: reason ?? "the session began",
    entries: fresh?.entries ?? [],
    blocks: fresh?.blocks ?? [],
  }
}

/** The baseline's entries with the current digests of their sources, plus the sections that were added later. */
function withCurrent(baseline: Baseline, candidates: readonly Candidate[]): readonly Entry[] {
  const sent = new Map(baseline.entries.map((entry) => [entry.id, entry]))
  return candidates.map((candidate) => {
    const entry = sent.get(candidate.edited.section.id)
    const current = candidate.source?.digest
    if (entry === undefined || (entry.spans.length === 0 && current !== entry.current)) {
      const outcome =
        candidate.whole === undefined
          ? (candidate.gated.out ?? { kind: "unused" as const, why: "no content" })
          : LATER
      return entryOf({ candidate, outcome, written: undefined }, new Map())
    }
    return entry.current === current ? entry : { ...entry, current }
  })
}

const LATER = { kind: "unused", why: "added after the epoch began" } as const

function isUnavailable({ edited }: Candidate, seen: View): boolean {
  return unavailableSource(edited.section, seen) !== undefined
}

function unavailable(sections: readonly Edited[], seen: View): readonly Diagnostic[] {
  const files = new Set(sections.flatMap(({ section }) => unavailableSource(section, seen) ?? []))
  return [...files].map(({ path, trust, unavailable: reason = "" }) => ({
    code: "source-unavailable",
    path,
    reason,
    needs: trust,
  }))
}

function diagnostics({ gated }: Candidate): readonly Diagnostic[] {
  return gated.content?.diagnostics ?? []
}
