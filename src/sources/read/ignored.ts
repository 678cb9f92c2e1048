// What .gitignore, .ignore and .fdignore exclude from a folder, for a walk from its top down. Patterns are rewritten
// relative to the top, so that a single matcher decides as git does: the last matching pattern wins.
import ignore, { type Ignore } from "ignore"

/** Later files override earlier ones, as in the tools that read them. */
export const IGNORE_FILES: readonly string[] = [".gitignore", ".ignore", ".fdignore"]

/**
 * The limit for all directories of one path together: each pattern is tested against each path, so many patterns are
 * slow.
 */
const MAX_LENGTH = 8192
/** No file name is longer. */
const LONGEST_PATTERN = 256

export interface Ignored {
  readonly isIgnored: (path: string) => boolean
  /** How many more characters of rules may be added. */
  readonly room: number
  readonly rules: Ignore | undefined
}

export const NOTHING_IGNORED: Ignored = { isIgnored: () => false, room: MAX_LENGTH, rules: undefined }

/** The rules from above plus those of one more directory. `directory` is relative to the top; "" is the top. */
export function ignoredBelow(above: Ignored, directory: string, text: string): Ignored {
  const patterns = text
    .split("\n")
    .filter(isSimple)
    .map((line) => fromTop(line, directory))
  // Matching must not depend on the machine's case sensitivity.
  const rules = ignore({ ignorecase: false })
    .add(above.rules ?? [])
    .add(patterns)
  return { isIgnored: (path) => rules.ignores(path), room: above.room - text.length, rules }
}

/** Patterns become regular expressions and can come from cloned repositories: a few extra `**` can take hours. */
function isSimple(pattern: string): boolean {
  return pattern.length <= LONGEST_PATTERN && pattern.split("**").length <= 3
}

function fromTop(line: string, directory: string): string {
  if (directory === "" || line.trim() === "" || line.startsWith("#")) return line
  const isNegative = line.startsWith("!")
  const pattern = isNegative ? line.slice(1) : line
  const place = directory.replaceAll(/[\\*?[\]!# ]/g, "\\$&")
  return `${isNegative ? "!" : ""}/${place}${anchor(pattern)}`
}

/** A pattern with a slash before its end is anchored to one place; any other matches at every depth. */
function anchor(pattern: string): string {
  if (pattern.startsWith("/")) return pattern
  return pattern.trimEnd().slice(0, -1).includes("/") ? `/${pattern}` : `/**/${pattern}`
}
