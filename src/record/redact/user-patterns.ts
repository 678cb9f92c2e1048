// The user's own patterns for secrets. A pattern can be made to run for years, so patterns run where they can be
// interrupted; a text that could not be checked in time is withheld.
import process from "node:process"
import { createContext, Script } from "node:vm"
import { IncipitError } from "../../base/error.ts"

const PATTERN_CHARACTERS = 500
/** For all texts of one call. A pattern can be made to run for years, and it blocks everything else. */
const PATTERN_MS = 100
/** If that was not enough: for all of them again, one by one. */
const SINGLE_MS = 200
/** How often a script is run that got too little of the processor. */
const MOST_TRIES = 20

export function userPatterns(sources: readonly string[]): (texts: readonly string[]) => readonly string[] {
  if (sources.length === 0) return (texts) => texts
  const context = createContext({ patterns: sources.map(compilePattern), texts: [] })
  // Only a vm script can be interrupted by a timeout.
  const script = new Script(
    `texts.map((text) => patterns.reduce((left, pattern) => left.replace(pattern, (found) => found && "[redacted:own]"), text))`,
  )
  const inTime = (texts: readonly string[], timeout: number): readonly string[] | undefined => {
    const start = cpuMs()
    for (let tries = 1; ; tries += 1) {
      try {
        context.texts = texts
        // The script maps strings to strings.
        return [...(script.runInContext(context, { timeout }) as readonly string[])]
      } catch (error) {
        if (!isTimeout(error)) throw error
        // The limit goes by the clock: on a busy machine it can pass before the script has run.
        if (cpuMs() - start >= timeout / 2 || tries === MOST_TRIES) return undefined
      }
    }
  }
  const oneByOne = (texts: readonly string[]): readonly string[] => {
    const end = cpuMs() + SINGLE_MS
    return texts.map((text) => {
      const left = end - cpuMs()
      // A share of the remaining time, so that one bad text does not use it up for all others.
      const shown = left > 0 ? inTime([text], Math.ceil(left / 4)) : undefined
      return shown?.[0] ?? "[redacted:timeout]"
    })
  }
  return (texts) => inTime(texts, PATTERN_MS) ?? oneByOne(texts)
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The error may be from another realm than our `Error`. */
function isTimeout(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
}

function compilePattern(source: string): RegExp {
  const refuse = (why: string) =>
    new IncipitError("bad-configuration", `the pattern ${source.slice(0, 80)} ${why}`)
  if (source.length > PATTERN_CHARACTERS) throw refuse(`has more than ${PATTERN_CHARACTERS} characters`)
  try {
    const pattern = new RegExp(source, "g")
    if ("".search(pattern) === 0) throw refuse("matches empty text")
    return pattern
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse("is not a regular expression")
    throw error
  }
}
