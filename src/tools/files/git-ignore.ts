// What a file search leaves out: .gitignore matches, .git and node_modules. Each folder's rules apply separately, the
// nearest first, as in git. Only ignore files that the caller may read count.
import { basename, dirname, join, relative, sep } from "node:path"
import ignore, { type Ignore } from "ignore"
import { isInside } from "../../files/inside.ts"
import { existingPathOf } from "../../files/real-path.ts"
import { readBytes } from "../../files/safe-file.ts"
import { type FileAccess, ToolFailure } from "../host.ts"
import { useFile } from "./open-file.ts"

/** Innermost last. */
export type IgnoreRules = readonly { readonly folder: string; readonly rules: Ignore }[]

/** Searched only when named explicitly. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"])

export function isSkipped(all: IgnoreRules, path: string, isFolder: boolean): boolean {
  return SKIPPED.has(basename(path)) || isIgnored(all, path, isFolder)
}

/** Rules of the parent folders up to the repository root; none if they exclude the requested folder. */
export async function rulesAbove(files: FileAccess, start: string): Promise<IgnoreRules> {
  const above: string[] = []
  for (let at = start; existingPathOf(join(at, ".git")) === undefined; ) {
    at = dirname(at)
    if (at === dirname(at) || !files.roots.some((root) => isInside(at, root))) break
    above.unshift(at)
  }
  let rules: IgnoreRules = []
  for (const folder of above) rules = await rulesIn(files, rules, folder)
  return isIgnored(rules, start, true) ? [] : rules
}

/** The rules that apply in a folder, including its own. */
export async function rulesIn(files: FileAccess, above: IgnoreRules, folder: string): Promise<IgnoreRules> {
  const path = join(folder, ".gitignore")
  if (existingPathOf(path) !== path || !files.mayRead(path)) return above
  const text = await rulesText(files, path)
  if (text === "") return above
  const patterns = text.split(/\r?\n/).filter(isSimple)
  // Matching must not depend on the machine's case sensitivity.
  return [...above, { folder, rules: ignore({ ignorecase: false }).add(patterns) }]
}

/** Each pattern is tested against each path, so many patterns are slow. */
const MOST_BYTES = 16 * 1024

async function rulesText(files: FileAccess, path: string): Promise<string> {
  try {
    return await useFile(files, path, (file) =>
      file.size > MOST_BYTES ? "" : readBytes(file).toString("utf8"),
    )
  } catch (error) {
    if (error instanceof ToolFailure) return ""
    throw error
  }
}

/** Patterns become regular expressions and can come from cloned repositories: a few extra `**` can take hours. */
function isSimple(pattern: string): boolean {
  return pattern.length <= 256 && pattern.split("**").length <= 3
}

function isIgnored(all: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of all.toReversed()) {
    const way = relative(folder, path).split(sep).join("/")
    const { ignored, unignored } = rules.test(isFolder ? `${way}/` : way)
    if (ignored || unignored) return ignored
  }
  return false
}
