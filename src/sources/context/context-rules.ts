// The rules of a folder: Markdown files in and below its `.claude/rules`. A rule for some paths is held back until a
// file is touched that one of its globs matches, relative to the folder.
import { join, relative, sep } from "node:path"
import { globOf } from "../../base/text/glob.ts"
import type { SourceFile } from "../../core/model/source.ts"
import { pathBelow } from "../../files/files-below.ts"
import { isInside } from "../../files/inside.ts"
import { markdownFiles } from "../../files/markdown-files.ts"
import { addFile, type Gathering, isAdmitted, MAX_FILES } from "../read/imports.ts"

export interface RulesOptions {
  /** Real paths of the folders that may be read. */
  readonly roots: readonly string[]
  readonly accepts: (rule: SourceFile) => boolean
}

export function addRules(folder: string, to: Gathering, { roots, accepts }: RulesOptions): void {
  const place = rulesFolder(folder)
  const paths = markdownFiles(place, { roots, skipsHidden: true })
    .paths.map((path) => pathBelow(place, path))
    .filter((path) => isAdmitted(path, to))
  // Rules that are held back are read, too, but do not count as context files.
  if (paths.length > MAX_FILES)
    to.diagnostics.push({ code: "too-many-files", path: place, limit: MAX_FILES, needs: to.trust })
  for (const path of paths.slice(0, MAX_FILES)) addFile(path, { roots, accepts }, to)
}

export function rulesFolder(folder: string): string {
  return join(folder, ".claude", "rules")
}

/** A rule without globs, or for every file. For other rules, this also reports globs that can never match, once. */
export function appliesEverywhere(
  rule: SourceFile,
  { diagnostics, trust }: Pick<Gathering, "diagnostics" | "trust">,
): boolean {
  const globs = globsOf(rule)
  for (const glob of globs.filter((item) => !isSimple(item))) {
    const problem = `the glob ${JSON.stringify(glob.slice(0, 80))} is too complex, so it matches nothing`
    diagnostics.push({ code: "bad-frontmatter", path: rule.path, line: 2, problem, needs: trust })
  }
  return globs.length === 0 || globs.some((glob) => glob === "**" || glob === "**/*")
}

/** Whether one of the rule's globs matches one of these real paths. */
export function appliesTo(rule: SourceFile, folder: string, paths: readonly string[]): boolean {
  const globs = globsOf(rule).flatMap((glob) => (isSimple(glob) && globOf(glob)) || [])
  return paths
    .filter((path) => isInside(path, folder))
    .map((path) => relative(folder, path).split(sep).join("/"))
    .some((way) => globs.some((matches) => matches(way)))
}

/** A YAML list, or one line separated by commas. */
export function globsOf({ fields }: SourceFile): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(fields.paths) ? fields.paths : [fields.paths]
  return paths
    .filter((item) => typeof item === "string")
    .flatMap(splitAtCommas)
    .map((glob) => glob.trim().replace(/^(?:\.\/)+/, ""))
    .filter((glob) => glob !== "")
}

/** Commas inside braces belong to the glob. */
function splitAtCommas(text: string): readonly string[] {
  let depth = 0
  const globs = [""]
  for (const character of text) {
    if (character === "{") depth += 1
    if (character === "}") depth = Math.max(0, depth - 1)
    if (character === "," && depth === 0) globs.push("")
    else globs.push((globs.pop() ?? "") + character)
  }
  return globs
}

/** Cloned repositories can bring many globs, and each is tested against every path. */
function isSimple(glob: string): boolean {
  if (glob.length > 256 || /[?*+@!]\(|\.\./.test(glob) || globOf(glob) === undefined) return false
  if (glob.split("{").length > 4 || glob.split(",").length > 32) return false
  return glob.split("/").every((part) => part.split(/\*+/).length <= 4)
}
