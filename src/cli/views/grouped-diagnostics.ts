// Merges diagnostics that many files of a folder share: one habit of an author is one thing to know, not fifty.
import { type Code, type Diagnostic, sentence } from "../../base/diagnostic.ts"

/** Diagnostics about how files are written, which tend to apply to a whole folder. */
const SHARED: ReadonlySet<Code> = new Set<Code>([
  ...(["skill-name-invalid", "skill-name-taken", "skill-field-unknown", "skill-without-name"] as const),
  ...(["skill-without-description", "loose-frontmatter", "paths-without-effect"] as const),
  ...(["duplicate-paragraph", "unknown-frontmatter-key"] as const),
])

/** Up to this many are shown one by one. */
const MAX_ALONE = 3

/** A prompt, each person and the configuration as a whole may have the same diagnostics. */
export function uniqueDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Map(diagnostics.map((diagnostic) => [sentence(diagnostic), diagnostic]))
  return [...said.values()]
}

/** In the order of first occurrence; diagnostics with another trust are grouped separately. */
export function grouped(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>()
  for (const [at, diagnostic] of diagnostics.entries()) {
    const key = groupKey(diagnostic) ?? `${at}`
    const group = groups.get(key) ?? []
    group.push(diagnostic)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length <= MAX_ALONE) return group
    return [{ ...first, others: group.length - 1 }]
  })
}

function groupKey(diagnostic: Diagnostic): string | undefined {
  if (!SHARED.has(diagnostic.code) || !("path" in diagnostic)) return undefined
  return [diagnostic.code, diagnostic.needs, folderOf(diagnostic.path), diagnosticSubject(diagnostic)].join(
    " ",
  )
}

/** What must match in addition to the folder. */
function diagnosticSubject(diagnostic: Diagnostic): string {
  if (diagnostic.code === "duplicate-paragraph") return diagnostic.other
  return diagnostic.code === "unknown-frontmatter-key" ? diagnostic.key : ""
}

/** The folder that holds all skills, or all rules; each of these may have a subfolder in it. */
function folderOf(path: string): string {
  const folders = path.split("/").slice(0, -1)
  return (path.endsWith("/SKILL.md") ? folders.slice(0, -1) : folders.slice(0, 1)).join("/")
}
