// Checks the files of a prompt for things that work but should be fixed: repeated or changing text, missing tools,
// unknown keys, secrets, too much context. Only reads text.
import type { Diagnostic } from "../base/diagnostic.ts"
import { byCodePoint } from "../base/order.ts"
import type { Tool } from "../core/model/inputs.ts"
import type { SourceFile } from "../core/model/source.ts"
import { absentTools } from "./absent-tools.ts"
import { duplicateParagraphs } from "./duplicate-paragraphs.ts"
import { longChain } from "./long-chain.ts"
import { movingText } from "./moving-text.ts"
import { notedTools } from "./noted-tools.ts"
import { pastCodexLimit } from "./past-codex-limit.ts"
import { secrets } from "./secrets.ts"
import { unknownKeys } from "./unknown-keys.ts"

export interface LintInput {
  /** In prompt order: of two places with the same text, the later one is reported. */
  readonly files: readonly SourceFile[]
  /** Memory files, which are searched and recalled rather than sent whole. Checked only for secrets. */
  readonly memory?: readonly SourceFile[]
  /** The registered tools. */
  readonly tools: readonly Tool[]
  /** The names of all known tools, to tell a mention of a missing tool from an ordinary word. */
  readonly knownTools: readonly string[]
  /** Whether `tools` has every tool of a real run. MCP servers add tools that are known only once they answer. */
  readonly hasAllTools: boolean
  /** The largest sensible size of the project context, in tokens. */
  readonly chainLimit: number
  readonly count: (text: string) => number
}

/** Diagnostics sorted by path, then line. */
export function lint(input: LintInput): readonly Diagnostic[] {
  const files = eachOnce(input.files)
  const registered = new Set(input.tools.map(({ name }) => name))
  const known = new Set([...registered, ...input.knownTools])
  const absent = new Set(input.knownTools.filter((name) => !registered.has(name)))
  return [
    ...duplicateParagraphs(files),
    ...files.flatMap(movingText),
    ...files.flatMap((file) => absentTools(file, absent)),
    ...(input.hasAllTools ? files.flatMap((file) => notedTools(file, known)) : []),
    ...files.flatMap(unknownKeys),
    ...[...files, ...(input.memory ?? [])].flatMap(secrets),
    ...longChain(files, { limit: input.chainLimit, count: input.count }),
    ...pastCodexLimit(files),
  ].sort(byPlace)
}

/** A file with two paths would count as a copy of itself. */
function eachOnce(files: readonly SourceFile[]): readonly SourceFile[] {
  const first = new Map<string, SourceFile>()
  for (const file of files) if (!first.has(file.identity)) first.set(file.identity, file)
  return [...first.values()]
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return byCodePoint(pathOf(a), pathOf(b)) || lineOf(a) - lineOf(b) || byCodePoint(a.code, b.code)
}

function pathOf(diagnostic: Diagnostic): string {
  return "path" in diagnostic ? diagnostic.path : ""
}

/** A diagnostic about a whole file comes before those about its lines. */
function lineOf(diagnostic: Diagnostic): number {
  return "line" in diagnostic ? diagnostic.line : 0
}
