// The report: a prompt as plain JSON, which is the contract of `incipit build --json`. It is derived from the plan and
// never parses the finished text.
import { type Diagnostic, levelOf, sentence } from "../../base/diagnostic.ts"
import type { DiagnosticLevel } from "../../base/diagnostics/kind.ts"
import { type Digest, digest } from "../../base/digest.ts"
import type { Pace } from "../../base/pace.ts"
import type { BudgetReport } from "../fit/budget.ts"
import type { Provenance } from "../model/content.ts"
import type { Block, Entry, Outcome, Span } from "../model/plan.ts"
import { blockDigest, fingerprintOf, type Prompt, prefixOf } from "../model/prompt.ts"
import type { Hidden } from "../view/view.ts"

/** A prompt as plain JSON: what `incipit build --json` prints. */
export interface Report {
  readonly profile: string
  readonly fingerprint: Digest
  readonly prefix: Digest
  readonly model: string | null
  readonly trust: string
  readonly situation: string
  readonly mode: string
  readonly budget: BudgetReport
  readonly blocks: readonly ReportBlock[]
  readonly sections: readonly ReportSection[]
  readonly tools: readonly ReportTool[]
  readonly withheld: readonly Pick<Hidden, "path" | "role" | "why" | "needs">[]
  readonly diagnostics: readonly ReportDiagnostic[]
}

export interface ReportBlock {
  readonly placement: "head" | "tail"
  readonly pace: Pace
  readonly text: string
  readonly tokens: number
  readonly digest: Digest
  readonly breakpoint: { readonly ttl: string } | null
}

export interface ReportSection {
  readonly id: string
  readonly kind: string
  readonly pace: Pace
  readonly priority: string
  readonly trust: string
  readonly tokens: number
  readonly outcome: Outcome
  readonly spans: readonly ReportSpan[]
  readonly sent: Digest | null
  readonly current: Digest | null
  readonly by: readonly string[]
}

export interface ReportSpan {
  readonly block: number
  readonly start: number
  readonly end: number
  readonly from?: ReportOrigin
}

/** The source of a span, without the file's identity, which is specific to one machine. */
export type ReportOrigin =
  | { readonly path: string; readonly lines: readonly [number, number]; readonly digest: Digest }
  | { readonly bundled: string }
  | { readonly by: string }

export interface ReportTool {
  readonly name: string
  readonly tokens: number
  readonly digest: Digest
  readonly outcome: Outcome
}

export type ReportDiagnostic = {
  readonly code: string
  readonly level: DiagnosticLevel
  readonly message: string
  readonly path?: string
  readonly line?: number
}

/** Turns a prompt into plain JSON, to print, to store or to compare with another. */
export function report(prompt: Prompt): Report {
  const { plan } = prompt
  return {
    profile: plan.profile,
    fingerprint: fingerprintOf(prompt),
    prefix: prefixOf(prompt),
    model: plan.model ?? null,
    trust: plan.audience.trust,
    situation: plan.audience.situation,
    mode: plan.audience.mode,
    budget: plan.budget,
    blocks: plan.blocks.map(reportBlock),
    sections: plan.entries.filter(({ kind }) => kind !== "tool").map(reportSection),
    tools: plan.entries.filter(({ kind }) => kind === "tool").map(reportTool),
    withheld: plan.hidden.map(({ path, role, why, needs }) => ({ path, role, why, needs })),
    diagnostics: plan.diagnostics.map(reportDiagnostic),
  }
}

function reportBlock(block: Block): ReportBlock {
  const { breakpoint, operator: _sentAs, ...rest } = block
  return { ...rest, digest: blockDigest(block), breakpoint: breakpoint ?? null }
}

function reportSection(entry: Entry): ReportSection {
  const { id, kind, pace, priority, trust, tokens, outcome, by } = entry
  const spans = entry.spans.map(reportSpan)
  return {
    id,
    kind,
    pace,
    priority,
    trust,
    tokens,
    outcome,
    spans,
    sent: entry.sent ?? null,
    current: entry.current ?? null,
    by,
  }
}

function reportSpan({ block, start, end, from }: Span): ReportSpan {
  return from === undefined ? { block, start, end } : { block, start, end, from: origin(from) }
}

function origin(from: Provenance): ReportOrigin {
  if (from.kind === "bundled") return { bundled: from.name }
  if (from.kind === "edit") return { by: from.by }
  return { path: from.path, lines: from.lines, digest: from.digest }
}

function reportTool({ id, tokens, current, outcome }: Entry): ReportTool {
  return { name: id, tokens, digest: current ?? digest(""), outcome }
}

export function reportDiagnostic(diagnostic: Diagnostic): ReportDiagnostic {
  const path = "path" in diagnostic ? { path: diagnostic.path } : {}
  const line = "line" in diagnostic ? { line: diagnostic.line } : {}
  return {
    code: diagnostic.code,
    level: levelOf(diagnostic),
    message: sentence(diagnostic),
    ...path,
    ...line,
  }
}
