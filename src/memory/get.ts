// Returns a part of a memory file, with its token count and that of the rest. A missing file and one that the caller
// may not see give the same answer.
import type { Trust } from "../base/trust.ts"
import type { Counter } from "../core/model/counter.ts"
import { DEFAULT_LINES } from "./default-limits.ts"
import { isSeen, placeOf, readInside, type Stores } from "./shelf/store.ts"

/** Whose trust applies, and which lines to get. */
export interface GetOptions {
  readonly trust: Trust
  /** The first line; counts from 1. */
  readonly from?: number
  readonly lines?: number
}

/** The lines that were found, or why there are none. */
export type GetResult =
  | { readonly status: "not-found"; readonly reason: string }
  | {
      readonly status: "ok"
      readonly path: string
      /** First and last line of the text; the last is smaller than the first if there is no text. */
      readonly lines: readonly [number, number]
      readonly text: string
      /** The exact count for `text`. */
      readonly tokens: number
      /** What follows; pass this `from` to get more. */
      readonly rest?: { readonly from: number; readonly lines: number; readonly tokens: number }
    }

const MOST_LINES = 2_000
/** More at once would fill a context window; the rest is offered with its token count. */
const MOST_CHARACTERS = 64_000

const NOT_FOUND: GetResult = { status: "not-found", reason: "no such file in memory" }

export function getFile(
  stores: Stores,
  path: string,
  options: GetOptions & { readonly counter: Counter; readonly redact: (text: string) => string },
): GetResult {
  const place = placeOf(stores, path, options.trust)
  const isTheirs = place !== undefined && isSeen(stores, place, options.trust)
  const written = isTheirs ? readInside(place.full) : undefined
  if (written === undefined) return NOT_FOUND
  const text = options.redact(written)
  const all = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")
  const from = wholeNumber(options.from, 1, Number.MAX_SAFE_INTEGER) ?? 1
  const wanted = all.slice(from - 1, from - 1 + (wholeNumber(options.lines, 1, MOST_LINES) ?? DEFAULT_LINES))
  const shown = wanted.slice(0, fitting(wanted))
  const next = from + shown.length
  const rest = all.slice(next - 1)
  const { counter } = options
  const given = shown.join("\n")
  return {
    status: "ok",
    path,
    lines: [from, next - 1],
    text: given,
    tokens: counter.count(given),
    ...(rest.length > 0 && {
      rest: { from: next, lines: rest.length, tokens: counter.count(rest.join("\n")) },
    }),
  }
}

/** How many lines fit; at least one. */
function fitting(lines: readonly string[]): number {
  let characters = 0
  const over = lines.findIndex((line) => {
    characters += line.length + 1
    return characters > MOST_CHARACTERS
  })
  return over === -1 ? lines.length : Math.max(1, over)
}

/** Accepts anything a model may send: invalid values count as absent. */
function wholeNumber(value: number | undefined, least: number, most: number): number | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined
  return Math.min(most, Math.max(least, Math.trunc(value)))
}
