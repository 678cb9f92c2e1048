// A bill as the JSON that schema/bill.json describes.
import type { Bill } from "../../../capture/bill/bill.ts"
import { reportDiagnostic } from "../../../core/read/report.ts"

export function billJson(bill: Bill): string {
  return `${JSON.stringify({ ...bill, diagnostics: bill.diagnostics.map(reportDiagnostic) }, null, 2)}\n`
}
