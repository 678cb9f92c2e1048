// The answers of list, find and grep: one line for each result, as many as fit, and how many were left out.
import type { ActingContext } from "../acting.ts"
import { fittingLines, roomIn } from "../fit-lines.ts"

export interface Found {
  readonly lines: readonly string[]
  /** What the lines represent, in the plural. */
  readonly nouns: string
  /** Whether there may be more. */
  readonly isCut: boolean
  readonly notes?: readonly string[]
}

const MOST_LINES = 1_000

export function foundText(found: Found, context: ActingContext): string {
  const { lines, nouns, isCut, notes = [] } = found
  const first = lines.slice(0, MOST_LINES)
  const shown = first.slice(0, fittingLines(first, roomIn(context), context.counter))
  const left = lines.length - shown.length
  const rest = [
    ...(lines.length === 0 ? [`No ${nouns} found.`] : shown),
    ...(left > 0 ? [`[${isCut ? "at least " : ""}${left} more ${nouns} left out; narrow the request]`] : []),
    ...(isCut && left === 0 ? ["[not everything was searched; narrow the request]"] : []),
    ...notes.map((note) => `[${note}]`),
  ]
  return rest.join("\n")
}
