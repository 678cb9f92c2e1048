// A recorded report as the audience of its prompt may see it.
import { atLeast, isTrust } from "../../../base/trust.ts"
import type { Report, ReportSection } from "../../../core/read/report.ts"

/** As `visible` does for a plan. The record doesn't know whom a diagnostic is for, so it is the operator's. */
export function visibleReport(report: Report): Report {
  const has = isTrust(report.trust) ? report.trust : "public"
  const isSeen = ({ trust, outcome, spans }: ReportSection) =>
    atLeast(has, isTrust(trust) ? trust : "full") &&
    outcome.kind !== "withheld" &&
    !(outcome.kind === "unused" && spans.length === 0)
  const tools = report.tools.filter(({ outcome }) => outcome.kind !== "withheld" && outcome.kind !== "unused")
  return { ...report, sections: report.sections.filter(isSeen), tools, withheld: [], diagnostics: [] }
}
