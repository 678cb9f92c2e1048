// Prints diagnostics on stderr, and says which exit status they mean.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Terminal } from "../terminal.ts"
import { diagnosticLines } from "../views/diagnostics.ts"

export function printDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  for (const line of diagnosticLines(diagnostics, terminal)) terminal.err(`${line}\n`)
}

/** 0 for done; with `--strict`, 1 for any diagnostic. */
export function exitStatus(diagnostics: readonly Diagnostic[], flags: { readonly strict: boolean }): number {
  return flags.strict && diagnostics.length > 0 ? 1 : 0
}
