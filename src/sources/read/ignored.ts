// What .gitignore, .ignore and .fdignore leave out of a folder, for a walk from its top down.
// Patterns are rewritten to stand at the top, so that one matcher decides, as git does: the last one that matches.
import ignore, { type Ignore } from "ignore"

/** Later ones overrule earlier ones, as in the tools that read them. */
export const IGNORE_FILES: readonly string[] = [".gitignore", ".ignore", ".fdignore"]

/** In one walk, of all directories above together: each pattern is tried on each path, so many take long. */
const MAX_LENGTH = 8192
/** A longer pattern names no file. */
const LONGEST_PATTERN = 256

export interface Ignored {
  readonly isIgnored: (path: string) => boolean
  /** How much text of further rules may be added. */
  readonly room: number
  readonly rules: Ignore | undefined
}

export const NOTHING_IGNORED: Ignored = { isIgnored: () => false, room: MAX_LENGTH, rules: undefined }

/** The rules from above and those of one more directory. `directory` is relative to the top, "" for the top. */
export function ignoredBelow(above: Ignored, directory: string, text: string): Ignored {
  const patterns = text
    .split("\n")
    .filter(isSimple)
    .map((line) => fromTop(line, directory))
  // Whether case counts should not depend on the machine.
  const rules = ignore({ ignorecase: false })
    .add(above.rules ?? [])
    .add(patterns)
  return { isIgnored: (path) => rules.ignores(path), room: above.room - text.length, rules }
}

/** Patterns become regular expressions, and come with cloned repositories: a few more `**` can take hours. */
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

/** A pattern with a slash before its end is about one place; any other is about every depth. */
function anchor(pattern: string): string {
  if (pattern.startsWith("/")) return pattern
  return pattern.trimEnd().slice(0, -1).includes("/") ? `/${pattern}` : `/**/${pattern}`
}
