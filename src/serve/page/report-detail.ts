// A build report as a call: what would be sent, in the order in which the provider reads it, each stretch with its section
// and its source. Nothing was sent, so nothing was used or paid for. Pure.
import type { Owner } from "../../capture/owner.ts"
import type { Report, ReportBlock, ReportOrigin, ReportTool } from "../../core/read/report.ts"
import type { CallDetail, CallRow, ShownPart, ShownSpan } from "./shown.ts"

/** What the call is called, and where it is. */
export type ReportCall = Pick<CallRow, "id" | "session" | "turn" | "step" | "at" | "error">

export function reportRow(report: Report | undefined, call: ReportCall): CallRow {
  return {
    ...call,
    ...{ model: report?.model ?? "", client: "incipit" },
    ...{ usage: null, costUsd: null, isSimulated: false, miss: null },
  }
}

export function reportDetail(report: Report | undefined, row: CallRow): CallDetail {
  return {
    ...{ call: row, report: report ?? null, parts: report === undefined ? [] : reportParts(report) },
    ...{ cacheRates: null, request: null, isExact: false, redacted: [], answer: null },
  }
}

/** Tools first, of which a report has no text; then the blocks, the last of which goes with the message. */
function reportParts(report: Report): readonly ShownPart[] {
  const { factor } = report.budget
  const sent = report.tools.filter(({ outcome }) => SENT.has(outcome.kind))
  return [
    ...sent.map((tool) => toolPart(tool, factor)),
    ...report.blocks.map((block, at) => blockPart(block, spansOf(report, at, block.text.length), factor)),
  ]
}

const SENT: ReadonlySet<string> = new Set(["included", "truncated", "unchanged"])
const UNUSED = { costUsd: null, cache: null } as const

function toolPart({ name, tokens }: ReportTool, factor: number): ShownPart {
  return {
    ...{ tier: "tools", kind: "tool", role: null, tool: name, text: "", pace: "stable", breakpoint: null },
    ...{ tokens: Math.round(tokens * factor), ...UNUSED },
    spans: [{ start: 0, end: 0, section: null, owner: { kind: "tool", name, match: "exact" } }],
  }
}

function blockPart(block: ReportBlock, spans: readonly ShownSpan[], factor: number): ShownPart {
  const { placement, pace, text, tokens, breakpoint } = block
  const place =
    placement === "head"
      ? ({ tier: "system", kind: "system", role: null } as const)
      : ({ tier: "messages", kind: "text", role: "user" } as const)
  return {
    ...{ ...place, tool: null, text, pace, breakpoint: breakpoint?.ttl ?? null },
    ...{ tokens: Math.round(tokens * factor), ...UNUSED, spans },
  }
}

/** Within the text: a saved report may have been edited. */
function spansOf({ sections }: Report, block: number, length: number): readonly ShownSpan[] {
  return sections
    .flatMap(({ id, spans }) => spans.map((span) => ({ ...span, id })))
    .filter((span) => span.block === block && span.start <= span.end && span.end <= length)
    .map(({ start, end, id, from }) => ({ start, end, section: id, owner: ownerOf(from) }))
    .toSorted((one, other) => one.start - other.start)
}

function ownerOf(from: ReportOrigin | undefined): Owner | null {
  if (from === undefined || "bundled" in from) return null
  if ("by" in from) return { kind: "hook", name: from.by, match: "exact" }
  return { kind: "file", path: from.path, lines: from.lines, match: "exact" }
}
