// Finds frontmatter keys in the workspace's own files that look meaningful but have no effect: misspelled ones, keys of
// another kind of file, and keys that would hold a rule back. Any other key (`title`, `tags`) may be for another
// program. Files from elsewhere have their own conventions, and so do skills and memories.
import type { Diagnostic } from "../base/diagnostic.ts"
import { misspelled } from "../base/nearest.ts"
import type { SourceFile } from "../core/model/source.ts"

const COMMON = ["trust", "priority", "on_change", "audience", "situations", "max_tokens", "description"]
const IDENTITY = ["name", "emoji", "creature", "vibe"]
const BY_ROLE: Readonly<Record<string, readonly string[]>> = {
  identity: IDENTITY,
  legacy: IDENTITY,
  user: ["name", "timezone", "location", "latitude", "longitude"],
}
/** Keys that some kind of file reads. Excludes `name`, which a rule or a note may have for its author's use. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  Object.values(BY_ROLE)
    .flat()
    .filter((key) => key !== "name"),
)
const NOT_OURS: ReadonlySet<string> = new Set(["context", "skill", "skills", "memory"])

/** Programs' names for holding a rule back until a file is touched. Only project context supports it, as `paths`. */
const GLOBS: ReadonlySet<string> = new Set(["paths", "globs", "glob", "applyTo"])
const ALWAYS = "alwaysApply"

export function unknownKeys(file: SourceFile): readonly Diagnostic[] {
  // The fields of a JSON file aren't frontmatter.
  if (NOT_OURS.has(file.role) || file.path.endsWith(".json")) return []
  const known = [...COMMON, ...(BY_ROLE[file.role] ?? [])]
  const keys = Object.keys(file.fields)
  const holding = holdingBack(file.fields)
  return keys.flatMap((key, at): readonly Diagnostic[] => {
    if (known.includes(key) || (isForPaths(key) && key !== holding)) return []
    const diagnostic = { path: file.path, line: lineOf(file, at), key, needs: file.trust }
    if (key === holding) return [{ code: "paths-without-effect", ...diagnostic }]
    const meant = misspelled(key, known)
    if (meant === undefined && !ELSEWHERE.has(key)) return []
    return [
      { code: "unknown-frontmatter-key", ...diagnostic, ...(meant !== undefined && { nearest: meant }) },
    ]
  })
}

function isForPaths(key: string): boolean {
  return GLOBS.has(key) || key === ALWAYS
}

/** The first key that would hold the file back. A file for every path, or with `alwaysApply: true`, isn't held back. */
function holdingBack(fields: SourceFile["fields"]): string | undefined {
  if (fields[ALWAYS] === true) return undefined
  const globs = Object.keys(fields).filter((key) => GLOBS.has(key) && globsIn(fields[key]).length > 0)
  if (globs.some((key) => globsIn(fields[key]).some(isEverything))) return undefined
  return globs[0] ?? (ALWAYS in fields ? ALWAYS : undefined)
}

/** Written as a list, or separated by commas. */
function globsIn(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = items.flatMap((item) => (typeof item === "string" ? item.split(",") : []))
  return texts.map((text) => text.trim()).filter((text) => text !== "")
}

function isEverything(glob: string): boolean {
  return glob === "**" || glob === "**/*"
}

/** A gathered file keeps its frontmatter's values but not their lines; they are known only if each key takes one. */
function lineOf({ fields, firstLine }: SourceFile, at: number): number {
  const dashes = 2
  return firstLine - 1 - dashes === Object.keys(fields).length ? 2 + at : 1
}
