// What is left out when files are looked for: what .gitignore says, .git and node_modules. Each folder's rules are asked
// by themselves, the nearest first, as git does. Only files that the asker may read have a say.
import { basename, dirname, join, relative, sep } from "node:path"
import ignore, { type Ignore } from "ignore"
import { isInside } from "../../files/inside.ts"
import { existingPathOf } from "../../files/real-path.ts"
import { readBytes } from "../../files/safe-file.ts"
import { type FileAccess, ToolFailure } from "../host.ts"
import { useFile } from "./open-file.ts"

/** The innermost come last. */
export type IgnoreRules = readonly { readonly folder: string; readonly rules: Ignore }[]

/** What is in these is asked for by their name. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"])

export function isSkipped(all: IgnoreRules, path: string, isFolder: boolean): boolean {
  return SKIPPED.has(basename(path)) || isIgnored(all, path, isFolder)
}

/** Rules of the folders around one, up to the repository's; none, if they leave out the folder that was asked for. */
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

/** The rules that hold in a folder, its own among them. */
export async function rulesIn(files: FileAccess, above: IgnoreRules, folder: string): Promise<IgnoreRules> {
  const path = join(folder, ".gitignore")
  if (existingPathOf(path) !== path || !files.mayRead(path)) return above
  const text = await rulesText(files, path)
  if (text === "") return above
  const patterns = text.split(/\r?\n/).filter(isSimple)
  // Whether case counts should not depend on the machine.
  return [...above, { folder, rules: ignore({ ignorecase: false }).add(patterns) }]
}

/** Each pattern is tried on each path, so many of them take long. */
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

/** These are made into regular expressions, and come with cloned repositories: a few more `**` can take hours. */
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
