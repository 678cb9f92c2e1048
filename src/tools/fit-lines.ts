// How much of a text goes into an answer of a tool: whole lines within a number of tokens. What is left out is for the
// caller to say.
import type { Counter } from "../core/model/counter.ts"
import type { ActionContext } from "./action.ts"

const MOST_TOKENS = 8_000
/** Below this there is no room for a line that says what was left out. */
const LEAST_TOKENS = 200
/** For that line. */
const RESERVE = 100

/** What there is room for, besides the line that says what was left out. */
export function roomIn({ mostTokens = MOST_TOKENS }: Pick<ActionContext, "mostTokens">): number {
  return Math.max(LEAST_TOKENS, mostTokens) - RESERVE
}

/** How many lines fit, from the first on. */
export function fittingLines(lines: readonly string[], room: number, counter: Counter): number {
  const end = counter.prefix(lines.join("\n"), room)
  let at = 0
  const over = lines.findIndex((line) => {
    at += line.length + 1
    return at - 1 > end
  })
  return over === -1 ? lines.length : over
}
