// What one turn sent and left out, over all of its requests: rows for people. The plan of each request has the details.
import type { Diagnostic } from "../base/diagnostic.ts"
import type { Pace } from "../base/pace.ts"
import type { Trust } from "../base/trust.ts"
import { inModelTokens } from "../core/fit/budget.ts"
import type { Entry, Outcome, Plan } from "../core/model/plan.ts"
import { type ReportDiagnostic, reportDiagnostic } from "../core/read/report.ts"
import { unusedText } from "../core/read/unused-text.ts"
import type { Definition } from "./definition.ts"
import type { Format, Target } from "./formats.ts"
import { sourceOf } from "./section-source.ts"

/** A section in one turn, as a row for `console.table`. */
export interface SectionRow {
  readonly section: string
  /** How often it is expected to change. */
  readonly changes: "rarely" | "per session" | "per turn"
  readonly outcome: Outcome["kind"]
  /** Why it isn't in the prompt as a whole. Empty if it is. */
  readonly why: string
  /** What it takes, in the model's tokens. For turn sections, what it took in all requests of the turn. */
  readonly tokens: number
  /** Paths of files, or "text", "function" or "spec". */
  readonly source: string
}

/** A tool, as a row for `console.table`. */
export interface ToolRow {
  readonly tool: string
  readonly outcome: Outcome["kind"]
  readonly why: string
  readonly tokens: number
}

/** A request, as a row for `console.table`: what it held, in the model's tokens. */
export interface StepRow {
  readonly step: number
  readonly format: Format
  readonly model: string
  /** Which version of the prompt: a new one rewrites the cached prefix. */
  readonly epoch: number
  readonly tools: number
  readonly head: number
  /** The turn context that was added with this request. */
  readonly tail: number
  readonly conversation: number
  readonly total: number
}

/** A text that the audience may not see. */
export interface WithheldRow {
  readonly section: string
  /** The path of the file, if it is one. */
  readonly source: string
  readonly needs: Trust
  /** What the audience lacks. */
  readonly why: "trust" | "situation" | "mode"
}

/** A turn as plain data. It is for you: it names what the person in the chat may not see. */
export interface TurnReport {
  /** Which turn of the chat, from 1 on. */
  readonly turn: number
  readonly trust: Trust
  /** Why the current version of the prompt began. */
  readonly epochReason: string
  /** Whether token figures are exact for the model, or estimates. */
  readonly isExact: boolean
  readonly sections: readonly SectionRow[]
  readonly tools: readonly ToolRow[]
  readonly steps: readonly StepRow[]
  readonly withheld: readonly WithheldRow[]
  readonly diagnostics: readonly ReportDiagnostic[]
}

/** Before the first request of a turn. */
export function emptyReport(turn: number, trust: Trust): TurnReport {
  const nothing = { sections: [], tools: [], steps: [], withheld: [], diagnostics: [] }
  return { turn, trust, epochReason: "", isExact: false, ...nothing }
}

/** One request of the turn. */
export interface ReportedStep {
  readonly turn: number
  readonly target: Target
  readonly plan: Plan
  readonly epoch: { readonly epoch: number; readonly reason: string }
  /** About the request itself. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The turn's report with one more request. */
export function addStep(
  before: TurnReport | undefined,
  step: ReportedStep,
  { sections }: Pick<Definition, "sections">,
): TurnReport {
  const { plan, turn, epoch } = step
  const rows = plan.entries.flatMap((entry) =>
    entry.kind === "section" ? [sectionRow(entry, plan, sourceOf(entry, sections[entry.id]))] : [],
  )
  const known = new Map(before?.sections.map((row) => [row.section, row]))
  const found = [...plan.diagnostics, ...step.diagnostics].map(reportDiagnostic)
  return {
    turn,
    trust: plan.audience.trust,
    epochReason: epoch.reason,
    isExact: plan.budget.exact,
    sections: rows.map((row) => merged(known.get(row.section), row)),
    tools: plan.entries.flatMap((entry) => (entry.kind === "tool" ? [toolRow(entry, plan)] : [])),
    steps: [...(before?.steps ?? []), stepRow(step, (before?.steps.length ?? 0) + 1)],
    withheld: withheldRows(plan),
    diagnostics: unique([...(before?.diagnostics ?? []), ...found]),
  }
}

const CHANGES: Readonly<Record<Pace, SectionRow["changes"]>> = {
  stable: "rarely",
  session: "per session",
  turn: "per turn",
}

function sectionRow(entry: Entry, plan: Plan, source: string): SectionRow {
  return {
    section: entry.id,
    changes: CHANGES[entry.pace],
    outcome: entry.outcome.kind,
    why: whyOf(entry, plan),
    tokens: tokensOf(entry, plan),
    source,
  }
}

function toolRow(entry: Entry, plan: Plan): ToolRow {
  return {
    tool: entry.id,
    outcome: entry.outcome.kind,
    why: whyOf(entry, plan),
    tokens: tokensOf(entry, plan),
  }
}

function stepRow({ plan, target, epoch }: ReportedStep, step: number): StepRow {
  const { tools, head, tail, conversation } = plan.budget
  const total = tools + head.used + tail.used + conversation
  return { step, ...target, epoch: epoch.epoch, tools, head: head.used, tail: tail.used, conversation, total }
}

function tokensOf({ tokens }: Entry, { budget: { factor, exact } }: Plan): number {
  return inModelTokens(tokens, { factor, exact })
}

/** Turn text is sent with one request and unchanged in the next, so each request adds to the turn. */
function merged(before: SectionRow | undefined, row: SectionRow): SectionRow {
  if (before === undefined) return row
  const tokens = row.changes === "per turn" ? before.tokens + row.tokens : Math.max(before.tokens, row.tokens)
  return row.outcome === "unchanged" ? { ...before, tokens } : { ...row, tokens }
}

function whyOf({ id, outcome, spans, sent, current }: Entry, { hidden, blocks }: Plan): string {
  if (outcome.kind === "truncated") return `cut from ${outcome.from} to ${outcome.to} tokens`
  if (outcome.kind === "withheld") return `needs ${outcome.needs}, has ${outcome.has}`
  if (outcome.kind === "dropped") return `${outcome.overBy} tokens more than was left`
  if (outcome.kind === "unused") return unusedText(outcome.why)
  if (outcome.kind === "ended") return "no longer applies"
  if (outcome.kind === "unchanged") return "sent earlier"
  const isAppended = spans.some(({ block }) => blocks[block]?.placement === "tail")
  const isOfHead = spans.some(({ block }) => blocks[block]?.placement === "head")
  const withheld = hidden.filter(({ role }) => role === id)
  const notes = [
    ...(isAppended && isOfHead ? ["its change was appended"] : []),
    ...(sent !== current && isOfHead ? ["its change waits"] : []),
    ...(withheld.length > 0 ? [`partly withheld: needs ${needsOf(withheld)}`] : []),
  ]
  return notes.join("; ")
}

function needsOf(hidden: Plan["hidden"]): string {
  return [...new Set(hidden.map(({ needs, why }) => (why === "trust" ? needs : `another ${why}`)))].join(", ")
}

function withheldRows({ entries, hidden }: Plan): readonly WithheldRow[] {
  const parts = hidden.map(({ role, path, needs, why }) => ({
    section: role,
    source: path === role ? "" : path,
    needs,
    why,
  }))
  const named = new Set(parts.map(({ section }) => section))
  const whole = entries.flatMap(({ kind, id, outcome }) =>
    kind === "section" && outcome.kind === "withheld" && !named.has(id)
      ? [{ section: id, source: "", needs: outcome.needs, why: "trust" as const }]
      : [],
  )
  return [...parts, ...whole]
}

function unique(diagnostics: readonly ReportDiagnostic[]): readonly ReportDiagnostic[] {
  return [...new Map(diagnostics.map((one) => [one.message, one])).values()]
}
