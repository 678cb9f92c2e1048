// Looks over the files of a prompt for what works but should not stay: text said twice, text that moves,
// tools that are not there, keys that mean nothing, secrets, too much context. Reads text only, changes none.
import type { Diagnostic } from "../base/diagnostic.ts"
import { byCodePoint } from "../base/order.ts"
import type { Tool } from "../core/model/scope.ts"
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
  /** In the order in which a prompt has them: of two places that say the same, the later is reported. */
  readonly files: readonly SourceFile[]
  /** Files of memory: not told whole, but recalled and searched. Looked through for secrets alone. */
  readonly memory?: readonly SourceFile[]
  /** The tools that are registered. */
  readonly tools: readonly Tool[]
  /** Names of tools that exist at all, so that the mention of an absent one can be told from an ordinary word. */
  readonly knownTools: readonly string[]
  /** Whether `tools` has every tool that a run would have; servers bring some that are known only when they answer. */
  readonly hasAllTools: boolean
  /** How many tokens of project context are still sensible. */
  readonly chainLimit: number
  readonly count: (text: string) => number
}

/** Findings sorted by path, then line. */
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

/** One file by two paths would be a copy of itself. */
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

/** A finding about a whole file comes before those about its lines. */
function lineOf(diagnostic: Diagnostic): number {
  return "line" in diagnostic ? diagnostic.line : 0
}
