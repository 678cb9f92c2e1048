// Codex reads a project's AGENTS.md files up to a total number of bytes, and silently ignores the rest. Users who share
// one file between several clients should know.
import type { Diagnostic } from "../base/diagnostic.ts"
import { mostOf, type Trust } from "../base/trust.ts"
import type { SourceFile } from "../core/model/source.ts"

/** Codex's default for `project_doc_max_bytes`. */
const LIMIT = 32 * 1024

const encoder = new TextEncoder()

/** Reported on the file that exceeds the limit. */
export function pastCodexLimit(files: readonly SourceFile[]): readonly Diagnostic[] {
  let bytes = 0
  // The total reveals the size of every file so far, so it needs the highest trust among them.
  let needs: Trust = "public"
  for (const [at, { path, text, trust }] of files.filter(isForCodex).entries()) {
    bytes += encoder.encode(text).length
    needs = mostOf(needs, trust)
    if (bytes > LIMIT)
      return [{ code: "past-codex-limit", path, together: at + 1, bytes, limit: LIMIT, needs }]
  }
  return []
}

/** Files in the home folder are Incipit's own. */
function isForCodex({ path, role }: SourceFile): boolean {
  return (
    !path.startsWith("~") &&
    (role === "context" || role === "behaviour") &&
    /(?:^|\/)AGENTS(?:\.override)?\.md$/.test(path)
  )
}
