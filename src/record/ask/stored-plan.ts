// The plan of a recorded step, read back from its JSON. Plans that 0.1.0 recorded are read in the words of today.
import type { Digest } from "../../base/digest.ts"
import { isRecord } from "../../base/is-record.ts"
import type { ReportDiagnostic, ReportSection, ReportTool } from "../../core/read/report.ts"
import { outcomeFrom } from "../../database/earlier-outcome.ts"
import type { StoredPlan } from "../write/receipt-cache.ts"

/** Returns undefined if a part of its structure is missing. */
export function planFrom(value: unknown): StoredPlan | undefined {
  if (!isPlan(value)) return undefined
  const { runs, tools, diagnostics, ...rest } = value.report
  const report = {
    ...rest,
    runs: runs.map((run) => run.filter(isRecord).map(sectionFrom)),
    tools: tools.filter(isRecord).map(toolFrom),
    diagnostics: (diagnostics ?? []).map(diagnosticFrom),
  }
  return { ...value, report }
}

/** As 0.1.0 or today's version wrote it. */
interface WrittenPlan extends Omit<StoredPlan, "report"> {
  readonly report: Omit<StoredPlan["report"], "runs" | "tools" | "diagnostics"> & {
    readonly runs: readonly (readonly (ReportSection | EarlierSection)[])[]
    readonly tools: readonly WrittenTool[]
    /** Null if the text that held them is damaged. */
    readonly diagnostics: readonly WrittenDiagnostic[] | null
  }
}

interface EarlierSection extends Omit<ReportSection, "priority" | "sent" | "outcome"> {
  readonly need: string
  readonly told: Digest | null
  readonly outcome: { readonly kind: string }
}

type WrittenTool = Omit<ReportTool, "outcome"> & { readonly outcome: { readonly kind: string } }
type WrittenDiagnostic = Omit<ReportDiagnostic, "level"> & Partial<Pick<ReportDiagnostic, "level">>

/** Only `saveReceipt` writes plans. A damaged text leaves `null` where the part was that it held. */
function isPlan(value: unknown): value is WrittenPlan {
  const report = isRecord(value) ? value.report : undefined
  if (!isRecord(report) || !Array.isArray(report.runs) || !report.runs.every(Array.isArray)) return false
  return Array.isArray(report.blocks) && report.blocks.every(isRecord) && Array.isArray(report.tools)
}

function sectionFrom(section: ReportSection | EarlierSection): ReportSection {
  if (!("need" in section)) return { ...section, outcome: outcomeFrom(section.outcome) }
  const { need, told, outcome, ...rest } = section
  return { ...rest, priority: need, sent: told, outcome: outcomeFrom(outcome) }
}

function toolFrom({ outcome, ...tool }: WrittenTool): ReportTool {
  return { ...tool, outcome: outcomeFrom(outcome) }
}

/** 0.1.0 did not record levels. */
function diagnosticFrom(diagnostic: WrittenDiagnostic): ReportDiagnostic {
  return { level: "warning", ...diagnostic }
}
