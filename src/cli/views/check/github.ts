// Diagnostics as commands of a GitHub workflow, which shows them in the pull request beside the lines they are about.
import { type Diagnostic, levelOf } from "../../../base/diagnostic.ts"
import type { DiagnosticLevel } from "../../../base/diagnostics/kind.ts"
import { reportDiagnostic } from "../../../core/read/report.ts"
import { escapeHidden } from "../../../record/ask/log.ts"

const COMMANDS: Readonly<Record<DiagnosticLevel, string>> = {
  error: "error",
  warning: "warning",
  hint: "notice",
}

/** `folder`: from the root of the repository to the workspace, empty or with a slash at its end. */
export function githubCommands(diagnostics: readonly Diagnostic[], folder: string): readonly string[] {
  return diagnostics.map((diagnostic) => {
    const { code, message, path, line } = reportDiagnostic(diagnostic)
    const fields = [
      ...(path === undefined ? [] : [`file=${property(folder + path)}`]),
      ...(line === undefined ? [] : [`line=${line}`]),
      `title=${property(`incipit: ${code}`)}`,
    ]
    return `::${COMMANDS[levelOf(diagnostic)]} ${fields.join(",")}::${data(escapeHidden(message))}`
  })
}

/** As the runner reads it back; nothing in a message can begin a command of its own. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
}

function property(text: string): string {
  return data(escapeHidden(text)).replaceAll(":", "%3A").replaceAll(",", "%2C")
}
