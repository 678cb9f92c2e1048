// Codex reads the AGENTS.md files of a project up to a number of bytes in all, and silently leaves out the rest. Who keeps
// one file for several clients should know.
import type { Diagnostic } from "../base/diagnostic.ts"
import { mostOf, type Trust } from "../base/trust.ts"
import type { SourceFile } from "../core/model/source.ts"

/** `project_doc_max_bytes` of Codex, unless its user has set another. */
const LIMIT = 32 * 1024

const encoder = new TextEncoder()

/** Reported on the file with which the limit is passed. */
export function pastCodexLimit(files: readonly SourceFile[]): readonly Diagnostic[] {
  let bytes = 0
  // The total tells of every file so far, so it is as hidden as the most hidden of them.
  let needs: Trust = "public"
  for (const [at, { path, text, trust }] of files.filter(isForCodex).entries()) {
    bytes += encoder.encode(text).length
    needs = mostOf(needs, trust)
    if (bytes > LIMIT)
      return [{ code: "past-codex-limit", path, together: at + 1, bytes, limit: LIMIT, needs }]
  }
  return []
}

/** What stands in the home folder is Incipit's own. */
function isForCodex({ path, role }: SourceFile): boolean {
  return (
    !path.startsWith("~") &&
    (role === "context" || role === "behaviour") &&
    /(?:^|\/)AGENTS(?:\.override)?\.md$/.test(path)
  )
}
