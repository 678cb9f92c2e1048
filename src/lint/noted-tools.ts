// Finds entries of TOOLS.md about an unregistered tool. Elsewhere an unknown name may be anything, but an entry of this
// file that begins with a name in backticks is about a tool. Only names with an underscore count: `jq` is a program.
import type { Diagnostic } from "../base/diagnostic.ts"
import { fenceLines } from "../base/text/fence.ts"
import type { SourceFile } from "../core/model/source.ts"

const ENTRY = /^\s*(?:[-*+]\s+|#{1,6}\s+|\d{1,3}[.)]\s+)(?:\*\*)?`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/

/** Reports each name once, where its entry begins. Known tools are left to `absentTools`, which checks all files. */
export function notedTools(
  { role, path, trust: needs, firstLine, text }: SourceFile,
  known: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (role !== "tool-notes") return []
  const lines = text.split("\n")
  const inFence = fenceLines(lines, "any")
  const firstAt = new Map<string, number>()
  for (const [offset, line] of lines.entries()) {
    const name = inFence[offset] ? undefined : ENTRY.exec(line)?.[1]
    if (name !== undefined && !known.has(name) && !firstAt.has(name)) firstAt.set(name, firstLine + offset)
  }
  return [...firstAt].map(([tool, line]) => ({ code: "names-absent-tool", path, line, tool, needs }))
}
