// Runs a model's regular expression on many lines, with a timeout, because it blocks everything else.
import { createContext, Script } from "node:vm"
import { ToolFailure } from "../host.ts"

const MOST_CHARACTERS = 1_000
/** For all lines of one call. A good pattern takes a hundredth of it. */
const MOST_MS = 500

/** Where each line matches; -1 if it does not. */
export type Search = (lines: readonly string[]) => readonly number[]

export function searchFor(source: string): Search {
  const context = createContext({ pattern: compile(source), lines: [] })
  // Only a vm script can be interrupted by a timeout.
  const script = new Script("lines.map((line) => line.search(pattern))")
  return (lines) => {
    try {
      context.lines = lines
      // The script maps strings to numbers.
      return script.runInContext(context, { timeout: MOST_MS }) as readonly number[]
    } catch (error) {
      // The error may be from another realm than our `Error`.
      const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
      if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
      throw new ToolFailure("The pattern takes too long; make it simpler.")
    }
  }
}

function compile(given: string): RegExp {
  if (given.length > MOST_CHARACTERS)
    throw new ToolFailure(`The pattern has more than ${MOST_CHARACTERS} characters.`)
  // Accepts leading flags, like other tools.
  const [head = "", flags = ""] = /^\(\?([ims]+)\)/.exec(given) ?? []
  const source = given.slice(head.length)
  const own = [...new Set(flags)].join("")
  try {
    return new RegExp(source, `u${own}`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return lenient(source, own)
  }
}

/** Without Unicode mode, many meaningless escapes are allowed. */
function lenient(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ToolFailure(`The pattern is not a valid regular expression: ${error.message}.`)
  }
}
