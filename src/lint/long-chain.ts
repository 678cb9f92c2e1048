// Project context is a chain of files from the root down, plus the workspace's own AGENTS.md. Each looks short;
// together they crowd out the rest. Gathering decided which files belong to the chain; this only adds them up.
import type { Diagnostic } from "../base/diagnostic.ts"
import { mostOf, type Trust } from "../base/trust.ts"
import { allOf, type SourceFile } from "../core/model/source.ts"

export interface ChainOptions {
  /** In tokens. */
  readonly limit: number
  readonly count: (text: string) => number
}

/** Reported on the file that makes the chain too long. */
export function longChain(
  files: readonly SourceFile[],
  { limit, count }: ChainOptions,
): readonly Diagnostic[] {
  let tokens = 0
  // The total reveals the size of every file so far, so it needs the highest trust among them.
  let needs: Trust = "public"
  const chain = [...allOf(files, "behaviour"), ...allOf(files, "context")]
  for (const [at, { path, text, trust }] of chain.entries()) {
    tokens += count(text)
    needs = mostOf(needs, trust)
    if (tokens > limit) return [{ code: "chain-too-long", path, together: at + 1, tokens, limit, needs }]
  }
  return []
}
