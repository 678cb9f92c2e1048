// Finds instructions that mention an unregistered tool: the model would try it, or say that it cannot. Only names of
// known tools count, because any other word may be anything. A name that is one word, such as `grep`, is more often a
// shell command or a function, so it counts only where the text calls it a tool.
import type { Diagnostic } from "../base/diagnostic.ts"
import { fenceLines } from "../base/text/fence.ts"
import type { SourceFile } from "../core/model/source.ts"

/** A name in backticks, or one followed by a parenthesis. `list.find(` calls a method, not a tool. */
const MENTION = /`([\w.:/-]{1,100})`|(?<![\w.$-])([\w-]{1,100})\(/g

/** Reports each tool once per file, at its first mention. Skips code fences, which call functions of their own. */
export function absentTools(file: SourceFile, absent: ReadonlySet<string>): readonly Diagnostic[] {
  const { path, trust: needs, firstLine } = file
  const lines = file.text.split("\n")
  const inFence = fenceLines(lines, "any")
  const firstAt = new Map<string, number>()
  for (const [offset, line] of lines.entries()) {
    if (inFence[offset]) continue
    for (const [, quoted, called] of line.matchAll(MENTION)) {
      const name = quoted ?? called ?? ""
      if (!absent.has(name) || firstAt.has(name)) continue
      if (name.includes("_") || isCalledTool(name, line)) firstAt.set(name, firstLine + offset)
    }
  }
  return [...firstAt].map(([tool, line]) => ({ code: "names-absent-tool", path, line, tool, needs }))
}

/** "the `grep` tool", "the tool `grep`", "use the tools `read` and `grep`": within one clause. */
function isCalledTool(name: string, line: string): boolean {
  return line.split(/[.;!?]\s/).some((clause) => {
    const words = clause.split(/[\s,]+/)
    const at = words.findIndex((word) => word.startsWith(`\`${name}\``) || word.startsWith(`${name}(`))
    const near = words.slice(Math.max(0, at - NEAR), at + NEAR)
    return at !== -1 && near.some((word) => /^tools?\b/i.test(word))
  })
}

/** The largest distance, in words, between a tool's name and the word "tool". */
const NEAR = 4
