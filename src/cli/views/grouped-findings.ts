// Merges findings that many files of a folder share: one habit of an author is one thing to know, not fifty.
import type { Code, Diagnostic } from "../../base/diagnostic.ts"

/** Findings about how files are written, which tend to apply to a whole folder. */
const SHARED: ReadonlySet<Code> = new Set<Code>([
  ...(["skill-name-invalid", "skill-name-taken", "skill-field-unknown", "skill-without-name"] as const),
  ...(["skill-without-description", "loose-frontmatter", "paths-without-effect"] as const),
  ...(["duplicate-paragraph", "unknown-frontmatter-key"] as const),
])

/** Up to this many are shown one by one. */
const MOST_ALONE = 3

/** In the order of first occurrence; findings with another trust are grouped separately. */
export function grouped(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>()
  for (const [at, finding] of findings.entries()) {
    const key = keyOf(finding) ?? `${at}`
    const group = groups.get(key) ?? []
    group.push(finding)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length <= MOST_ALONE) return group
    return [{ ...first, others: group.length - 1 }]
  })
}

function keyOf(finding: Diagnostic): string | undefined {
  if (!SHARED.has(finding.code) || !("path" in finding)) return undefined
  return [finding.code, finding.needs, folderOf(finding.path), subjectOf(finding)].join(" ")
}

/** What must match in addition to the folder. */
function subjectOf(finding: Diagnostic): string {
  if (finding.code === "duplicate-paragraph") return finding.other
  return finding.code === "unknown-frontmatter-key" ? finding.key : ""
}

/** The folder that holds all skills, or all rules; each of these may have a subfolder in it. */
function folderOf(path: string): string {
  const folders = path.split("/").slice(0, -1)
  return (path.endsWith("/SKILL.md") ? folders.slice(0, -1) : folders.slice(0, 1)).join("/")
}
