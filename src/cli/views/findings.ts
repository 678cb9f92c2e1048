// Prints findings on stderr and returns their exit status.
import { type Diagnostic, sentence } from "../../base/diagnostic.ts"
import { visible } from "../chat/screen/visible.ts"
import type { FlagValues } from "../command-line/command.ts"
import { grouped } from "./grouped-findings.ts"
import { painter, type Terminal } from "./terminal.ts"

export function printFindings(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  const paint = painter(terminal)
  for (const diagnostic of grouped(diagnostics)) {
    terminal.err(
      `${paint("yellow", "finding")} ${visible(sentence(diagnostic))} ${paint("dim", `[${diagnostic.code}]`)}\n`,
    )
  }
}

/** 0 for done; 1 for findings, with `--strict`. */
export function statusOf(diagnostics: readonly Diagnostic[], flags: FlagValues): number {
  return flags.strict === true && diagnostics.length > 0 ? 1 : 0
}
