// Lints one or more small files with plain defaults, so a test sets only what it is about.
import type { Diagnostic } from "../../src/base/diagnostic.ts"
import type { SourceFile } from "../../src/core/model/source.ts"
import { type LintInput, lint } from "../../src/lint/lint.ts"
import { makeFile } from "../core/make.ts"

export function lintFiles(
  files: readonly SourceFile[],
  input: Partial<Omit<LintInput, "files">> = {},
): readonly Diagnostic[] {
  return lint({
    files,
    tools: [],
    knownTools: [],
    hasAllTools: true,
    chainLimit: 1_000_000,
    count: (text) => text.length,
    ...input,
  })
}

export function lintText(text: string, input: Partial<Omit<LintInput, "files">> = {}): readonly Diagnostic[] {
  return lintFiles([makeFile({ role: "rules", path: "rules/a.md", text })], input)
}
