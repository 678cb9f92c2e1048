// How much of a text fits into a tool's answer: whole lines within a number of tokens. The caller reports what was left
// out.
import type { Counter } from "../core/model/counter.ts"
import type { ActingContext } from "./acting.ts"

const MOST_TOKENS = 8_000
/** Below this, there is no room for the line about what was left out. */
const LEAST_TOKENS = 200
/** For that line. */
const RESERVE = 100

/** The room for text, besides the line about what was left out. */
export function roomIn({ mostTokens = MOST_TOKENS }: Pick<ActingContext, "mostTokens">): number {
  return Math.max(LEAST_TOKENS, mostTokens) - RESERVE
}

/** How many lines fit, counted from the first. */
export function fittingLines(lines: readonly string[], room: number, counter: Counter): number {
  const end = counter.prefix(lines.join("\n"), room)
  let at = 0
  const over = lines.findIndex((line) => {
    at += line.length + 1
    return at - 1 > end
  })
  return over === -1 ? lines.length : over
}
