// Diagnostics as SARIF 2.1.0, which editors and code scanning show beside the lines they are about.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import type { DiagnosticLevel } from "../../../base/diagnostics/kind.ts"
import { byCodePoint } from "../../../base/order.ts"
import { reportDiagnostic } from "../../../core/read/report.ts"
import { escapeHidden } from "../../../record/ask/log.ts"

const LEVELS: Readonly<Record<DiagnosticLevel, "error" | "warning" | "note">> = {
  error: "error",
  warning: "warning",
  hint: "note",
}

export interface SarifOptions {
  readonly version: string
  /** From the root of the repository to the workspace, empty or with a slash at its end. */
  readonly folder: string
  /** Where a result without a file is shown: code scanning refuses one without a place. */
  readonly fallback: string
}

export function sarifLog(diagnostics: readonly Diagnostic[], { version, folder, fallback }: SarifOptions) {
  const reports = diagnostics.map(reportDiagnostic)
  const codes = [...new Set(reports.map(({ code }) => code))].sort(byCodePoint)
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "incipit", version, rules: codes.map((id) => ({ id })) } },
        results: reports.map(({ code, level, message, path = fallback, line }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          level: LEVELS[level],
          message: { text: escapeHidden(message) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(folder + path) },
                ...(line !== undefined && { region: { startLine: line } }),
              },
            },
          ],
        })),
      },
    ],
  }
}

/** A relative reference: every name is encoded, so none looks like a scheme. */
function uriOf(path: string): string {
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/")
}
