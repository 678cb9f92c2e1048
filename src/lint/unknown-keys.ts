// Keys in the frontmatter of the workspace's own files that nothing reads. Files from elsewhere follow
// conventions of their own, and so do skills and memories.
import type { Diagnostic } from "../core/diagnostic.ts"
import { nearest } from "../core/nearest.ts"
import type { SourceFile } from "../core/source.ts"

const COMMON = ["trust", "need", "freshness", "audience", "situations", "max_tokens", "description"]
const IDENTITY = ["name", "emoji", "creature", "vibe"]
const BY_ROLE: Readonly<Record<string, readonly string[]>> = {
  identity: IDENTITY,
  legacy: IDENTITY,
  user: ["name", "timezone", "location", "latitude", "longitude"],
}
const NOT_OURS: ReadonlySet<string> = new Set(["context", "skill", "skills", "memory"])

/** How programs call what holds a rule back until a file is touched. Only project context knows it, as `paths`. */
const FOR_PATHS: ReadonlySet<string> = new Set(["paths", "globs", "glob", "applyTo", "alwaysApply"])

/** A longer key is no slip of the pen, and would take long to compare. */
const MAX_KEY_LENGTH = 40

export function unknownKeys(file: SourceFile): readonly Diagnostic[] {
  // What a JSON file says is no frontmatter.
  if (NOT_OURS.has(file.role) || file.path.endsWith(".json")) return []
  const known = [...COMMON, ...(BY_ROLE[file.role] ?? [])]
  const keys = Object.keys(file.fields)
  return keys.flatMap((key, at): readonly Diagnostic[] => {
    if (known.includes(key)) return []
    const finding = { path: file.path, line: lineOf(file, at), key, needs: file.trust }
    if (FOR_PATHS.has(key)) return [{ code: "paths-without-effect", ...finding }]
    const meant = key.length > MAX_KEY_LENGTH ? undefined : nearest(key, known)
    return [{ code: "unknown-frontmatter-key", ...finding, ...(meant !== undefined && { nearest: meant }) }]
  })
}

/** A gathered file keeps the values of its frontmatter, not their lines: known only if each key has one line. */
function lineOf({ fields, firstLine }: SourceFile, at: number): number {
  const dashes = 2
  return firstLine - 1 - dashes === Object.keys(fields).length ? 2 + at : 1
}
