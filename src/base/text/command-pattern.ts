// Patterns of shell commands, such as `npm test *`. A `*` as the last word stands for any further words, elsewhere for
// one word; within a word it stands for characters other than a slash. Allowing a command and refusing one err in
// opposite directions: only a command without any syntax of the shell can be allowed, and whatever may run a refused
// command is refused, or is at least not certain.

/** What means nothing to a shell: no quotes, expansions, globs, redirections, separators, comments or line breaks. */
const PLAIN = /^[\w./:@%+,= -]+$/

/** The words of a command without any syntax of the shell; undefined for every other text. */
export function plainWords(command: string): readonly string[] | undefined {
  if (!PLAIN.test(command)) return undefined
  const words = command.split(/ +/).filter((word) => word !== "")
  const [first] = words
  // `NAME=value command` sets a variable, and with it perhaps what runs.
  return first === undefined || first.includes("=") ? undefined : words
}

/** Whether a pattern can allow anything: its first word must be exact, or it would allow any program. */
export function isCommandPattern(pattern: string): boolean {
  const words = plainWords(pattern.replaceAll("*", ""))
  return words !== undefined && !pattern.trim().split(/ +/)[0]?.includes("*") && pattern === pattern.trim()
}

/** Whether the pattern allows exactly this command and nothing else with it. */
export function allowsCommand(pattern: string, command: string): boolean {
  const words = plainWords(command)
  return words !== undefined && matches(pattern.split(/ +/), words)
}

/**
 * Whether the command may run something that the pattern names, anywhere in it. Never misses a plain command: the words
 * of the pattern count in their order, whatever stands between and behind them, such as `git -C . push origin`.
 */
export function namesCommand(pattern: string, command: string): boolean {
  const wanted = pattern.toLowerCase().split(/ +/)
  const fixed = wanted.at(-1) === "*" ? wanted.slice(0, -1) : wanted
  return partsOf(command.toLowerCase()).some((words) => hasInOrder(fixed, programsIn(words)))
}

/** Whether `namesCommand` can see what a command runs: nothing is expanded, and no program reads it from elsewhere. */
export function isCertainCommand(command: string): boolean {
  return !/[$`{}*?[\]~!]/.test(command) && !partsOf(command.toLowerCase()).some(isHiding)
}

function isHiding(part: readonly string[]): boolean {
  const { words, isRunner } = programsIn(part)
  const names = (isRunner ? words : words.slice(0, 1)).map(baseName)
  const [first = ""] = names
  // For a program that runs others, `.` is a folder.
  const isBuiltin = BUILTINS.has(first) || SHELL_WORDS.has(first)
  if (names.some((name) => SHELLS.has(name) || READERS.has(name) || (isBuiltin && BUILTINS.has(name))))
    return true
  const at = names.findLastIndex((name) => INTERPRETER.test(name))
  if (at === -1) return false
  // Without the name of a file, an interpreter reads its input.
  return words.some((word) => CODE_OPTION.test(word)) || words.slice(at + 1).every((word) => /^-/.test(word))
}

function matches(pattern: readonly string[], words: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === "*"
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return false
  return fixed.every((one, at) => isWord(one, words[at] ?? ""))
}

function isWord(pattern: string, word: string): boolean {
  if (pattern === "*" || pattern === word) return true
  // `docs/*` means files in docs, not `docs/../.env`.
  if (!pattern.includes("*") || word.split(/[/=:,]/).includes("..")) return false
  const [names, given] = [pattern.split("/"), word.split("/")]
  return names.length === given.length && names.every((name, at) => isLooseWord(name, given[at] ?? ""))
}

/** Not by a regular expression, which takes long for some patterns and words. */
function isLooseWord(pattern: string, word: string): boolean {
  const [first = "", ...rest] = pattern.split("*")
  const last = rest.pop()
  if (last === undefined) return first === word
  const end = word.length - last.length
  if (first.length > end || !word.startsWith(first) || !word.endsWith(last)) return false
  let at = first.length
  for (const text of rest) {
    const found = word.indexOf(text, at)
    if (found === -1 || found + text.length > end) return false
    at = found + text.length
  }
  return true
}

// Digits are tried from the first one only, or a long number would take long.
const REDIRECTION = /(?<!\d)\d*(?:>[>|]?|<)(?:&\d|\s*(?:"[^"]*"|'[^']*'|[^\s;&|<>()"'])+)/g

/** Commands within a command, roughly: separated by whatever may end one, without quotes and redirections. */
function partsOf(command: string): readonly (readonly string[])[] {
  return command
    .replaceAll(/\\\n/g, "")
    .replaceAll(REDIRECTION, " ")
    .replaceAll(/["'\\]/g, "")
    .split(/[;&|\n\r(){}`<>]|\$/)
    .map((part) => part.split(/\s+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0)
}

const SHELLS = setOf("bash sh zsh dash ksh fish busybox")
/** They run a text or a file, but only in a shell. */
const BUILTINS = setOf("eval source .")
/** They take words of a command from their input. */
const READERS = setOf("xargs parallel")
/** Words of the shell that run the command behind them. */
const SHELL_WORDS = setOf("command exec builtin time trap alias coproc if then else elif while until do !")
/** Programs and words that run the command in their arguments. */
const RUNNERS: ReadonlySet<string> = new Set([
  ...[...SHELLS, ...BUILTINS, ...READERS, ...SHELL_WORDS],
  ...setOf("sudo doas su env nohup nice ionice setsid stdbuf timeout"),
  ...setOf("watch find fd ssh chroot unshare flock script npx"),
])

const INTERPRETER =
  /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|rscript|julia|osascript|pwsh|powershell|tclsh)[\d.]*$/
/** Code in the arguments: `-c`, `-e`, also among other letters, and how Node, Deno and PHP name it. */
const CODE_OPTION = /^(?:-[a-z]*[ce]|-[pr]$|--(?:eval|print|run)|eval$)/

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "))
}

interface Programs {
  /** From the first that does not set a variable. */
  readonly words: readonly string[]
  /** The first word runs another program, which may stand anywhere behind it. */
  readonly isRunner: boolean
}

function programsIn(part: readonly string[]): Programs {
  const first = part.findIndex((word) => !/^\w+\+?=/.test(word))
  const words = first === -1 ? [] : part.slice(first)
  return { words, isRunner: RUNNERS.has(baseName(words[0] ?? "")) }
}

/** The first that matches is as good as any later one, so each word is looked at once. */
function hasInOrder([program = "", ...others]: readonly string[], { words, isRunner }: Programs): boolean {
  const from = words
    .slice(0, isRunner ? words.length : 1)
    .findIndex((word) => isLooseWord(program, baseName(word)))
  if (from === -1) return false
  let found = 0
  for (const word of words.slice(from + 1)) {
    const wanted = others[found]
    if (wanted === undefined) break
    if (isLooseWord(wanted, word)) found += 1
  }
  return found === others.length
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}
