// Patterns of shell commands, such as `npm test *`. A `*` as the last word stands for any further words, elsewhere for
// one word; within a word it stands for characters other than a slash. Allowing a command and refusing one err in
// opposite directions: only a command without any syntax of the shell can be allowed, and whatever may run a refused
// command is refused, or is at least not certain.

/** What means nothing to a shell: no quotes, expansions, globs, redirections, separators, comments or line breaks. */
const PLAIN = /^[\w./:@%+,= -]+$/

/** The words of a command without any syntax of the shell; undefined for every other text. */
export function plainWords(command: string): readonly string[] | undefined {
  const text = command.replace(/^ +| +$/g, "")
  if (!PLAIN.test(text)) return undefined
  const words = text.split(/ +/)
  // `NAME=value command` sets a variable, and with it perhaps what runs.
  return words[0]?.includes("=") ? undefined : words
}

/** Whether a pattern can allow anything: its first word must be exact, or it would allow any program. */
export function isCommandPattern(pattern: string): boolean {
  const words = plainWords(pattern.replaceAll("*", ""))
  return words !== undefined && !pattern.trim().split(/ +/)[0]?.includes("*") && pattern === pattern.trim()
}

/** Whether the pattern allows exactly this command and nothing else with it. */
export function allowsCommand(pattern: string, command: string): boolean {
  const words = plainWords(command)
  return words !== undefined && matches(pattern.split(/ +/), words, isWord)
}

/** Whether the command may run something that the pattern names, anywhere in it. Never misses a plain command. */
export function namesCommand(pattern: string, command: string): boolean {
  const wanted = pattern.toLowerCase().split(/ +/)
  // One word more tells whether the command is longer than the pattern.
  const isFrom = (words: readonly string[], from: number) =>
    matches(wanted, baseNamed(words.slice(from, from + wanted.length + 1)), isLooseWord)
  return partsOf(command.toLowerCase()).some((words) => startsOf(words).some((from) => isFrom(words, from)))
}

/** Whether `namesCommand` can see what a command runs: nothing is expanded, and no shell reads it from elsewhere. */
export function isCertainCommand(command: string): boolean {
  return (
    !/[$`{}*?[\]~!]/.test(command) && partsOf(command).every(([first = ""]) => !SHELLS.has(baseName(first)))
  )
}

type MatchesWord = (pattern: string, word: string) => boolean

function matches(pattern: readonly string[], words: readonly string[], isMatch: MatchesWord): boolean {
  const isOpen = pattern.at(-1) === "*"
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return false
  return fixed.every((one, at) => isMatch(one, words[at] ?? ""))
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

const REDIRECTION = /\d*(?:>[>|]?|<)(?:&\d|\s*(?:"[^"]*"|'[^']*'|[^\s;&|<>()"'])+)/g

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

const SHELLS: ReadonlySet<string> = new Set("bash sh zsh dash ksh fish busybox eval source .".split(" "))

/** Programs and words that run the command in their arguments. */
const RUNNERS: ReadonlySet<string> = new Set([
  ...SHELLS,
  ..."sudo doas su env command exec builtin nohup time nice ionice setsid stdbuf timeout xargs parallel".split(
    " ",
  ),
  ..."watch find fd ssh chroot unshare flock script trap alias coproc npx".split(" "),
  ..."if then else elif while until do !".split(" "),
])

/** Where in the words a command may begin: after variables, and anywhere behind a program that runs another. */
function startsOf(words: readonly string[]): readonly number[] {
  const first = words.findIndex((word) => !/^\w+\+?=/.test(word))
  if (first === -1) return []
  const isRunner = RUNNERS.has(baseName(words[first] ?? ""))
  return isRunner ? words.map((_word, at) => at).slice(first) : [first]
}

function baseNamed([first = "", ...rest]: readonly string[]): readonly string[] {
  return [baseName(first), ...rest]
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}
