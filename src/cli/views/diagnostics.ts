// Prints diagnostics on stderr, counts them by level, and returns their exit status.
import { type Diagnostic, type DiagnosticLevel, LEVELS, levelOf, sentence } from "../../base/diagnostic.ts"
import { visible } from "../chat/screen/visible.ts"
import type { Terminal } from "../terminal.ts"
import { painter, type Style } from "./colour.ts"
import { plural } from "./figures.ts"
import { grouped } from "./grouped-diagnostics.ts"

export const LEVEL_STYLES: Readonly<Record<DiagnosticLevel, Style>> = {
  error: "red",
  warning: "yellow",
  hint: "cyan",
}

export function printDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  const paint = painter(terminal)
  for (const diagnostic of grouped(diagnostics)) {
    const level = levelOf(diagnostic)
    const code = paint("dim", `[${diagnostic.code}]`)
    terminal.err(`${paint(LEVEL_STYLES[level], `${level}:`)} ${visible(sentence(diagnostic))} ${code}\n`)
  }
}

/** Such as `1 error, 2 hints`. */
export function countsText(diagnostics: readonly Diagnostic[]): string {
  const counts = LEVELS.map(
    (level) => [level, diagnostics.filter((one) => levelOf(one) === level).length] as const,
  )
  const texts = counts.filter(([, count]) => count > 0).map(([level, count]) => plural(count, level))
  return texts.length === 0 ? "No problems found." : texts.join(", ")
}

/** 0 for done; with `--strict`, 1 for any diagnostic. */
export function statusOf(diagnostics: readonly Diagnostic[], flags: { readonly strict: boolean }): number {
  return flags.strict && diagnostics.length > 0 ? 1 : 0
}
