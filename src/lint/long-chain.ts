// Project context is a chain of files from the root down, with the workspace's own AGENTS.md. Each looks short; together
// they crowd out the rest.
// Which files make up the chain was decided when they were gathered; here they are only added up.
import type { Diagnostic } from "../base/diagnostic.ts"
import { mostOf, type Trust } from "../base/trust.ts"
import { allOf, type SourceFile } from "../core/model/source.ts"

export interface ChainOptions {
  /** In tokens. */
  readonly limit: number
  readonly count: (text: string) => number
}

/** Reported on the file with which the chain gets too long. */
export function longChain(
  files: readonly SourceFile[],
  { limit, count }: ChainOptions,
): readonly Diagnostic[] {
  let tokens = 0
  // The total tells of every file so far, so it is as hidden as the most hidden of them.
  let needs: Trust = "public"
  const chain = [...allOf(files, "behaviour"), ...allOf(files, "context")]
  for (const [at, { path, text, trust }] of chain.entries()) {
    tokens += count(text)
    needs = mostOf(needs, trust)
    if (tokens > limit) return [{ code: "chain-too-long", path, together: at + 1, tokens, limit, needs }]
  }
  return []
}
