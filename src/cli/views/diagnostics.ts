// Diagnostics as lines, one each, and counted by level.
import { type Diagnostic, levelOf, sentence } from "../../base/diagnostic.ts"
import { type DiagnosticLevel, LEVELS } from "../../base/diagnostics/kind.ts"
import { plural } from "../../base/text/figures.ts"
import { visible } from "../chat/screen/visible.ts"
import { painter, type Style } from "./colour.ts"
import { grouped } from "./grouped-diagnostics.ts"
import type { Page } from "./page.ts"

export const LEVEL_STYLES: Readonly<Record<DiagnosticLevel, Style>> = {
  error: "red",
  warning: "yellow",
  hint: "cyan",
}

export function diagnosticLines(
  diagnostics: readonly Diagnostic[],
  page: Pick<Page, "colour">,
): readonly string[] {
  const paint = painter(page)
  return grouped(diagnostics).map((diagnostic) => {
    const level = levelOf(diagnostic)
    const code = paint("dim", `[${diagnostic.code}]`)
    return `${paint(LEVEL_STYLES[level], `${level}:`)} ${visible(sentence(diagnostic))} ${code}`
  })
}

/** Such as `1 error, 2 hints`. */
export function countsText(diagnostics: readonly Diagnostic[]): string {
  const counts = LEVELS.map(
    (level) => [level, diagnostics.filter((one) => levelOf(one) === level).length] as const,
  )
  const texts = counts.filter(([, count]) => count > 0).map(([level, count]) => plural(count, level))
  return texts.length === 0 ? "No problems found." : texts.join(", ")
}
