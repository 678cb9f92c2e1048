// What a line said and says, short enough for a report: a long line is quoted around the place where it differs. Pure.
import { firstCharacters } from "../../base/text/characters.ts"

export interface QuotedChange {
  readonly before: string | undefined
  readonly after: string | undefined
}

const LONGEST = 120
/** Characters before the difference, and after it: enough to recognise the place. */
const CONTEXT = 24

export function quotedChange(before: string | undefined, after: string | undefined): QuotedChange {
  const [was, is] = [before, after].map((line) => line?.replace(/\r$/, "").trim())
  if (was === undefined || is === undefined || was === is)
    return { before: was && beginning(was), after: is && beginning(is) }
  if (was.length <= LONGEST && is.length <= LONGEST) return { before: was, after: is }
  const start = sameAtStart(was, is)
  const end = sameAtEnd(was, is, start)
  const from = wordBefore(was, start - CONTEXT)
  return { before: around(was, from, was.length - end), after: around(is, from, is.length - end) }
}

function beginning(line: string): string {
  return line.length <= LONGEST ? line : `${firstCharacters(line, LONGEST - 1)}…`
}

/** Both lines are the same up to `from` and beyond `to`. */
function around(line: string, from: number, to: number): string {
  const until = wordAfter(line, to + CONTEXT)
  const part = line.slice(from, until)
  const shown = part.length <= LONGEST ? part : firstCharacters(part, LONGEST - 1)
  return `${from > 0 ? "…" : ""}${shown}${from + shown.length < line.length ? "…" : ""}`
}

function sameAtStart(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

function sameAtEnd(one: string, other: string, start: number): number {
  const most = Math.min(one.length, other.length) - start
  let count = 0
  while (count < most && one.at(-1 - count) === other.at(-1 - count)) count += 1
  return count
}

/** The beginning of the word at a place, or nearly: never between the two halves of a character. */
function wordBefore(line: string, at: number): number {
  if (at <= 0) return 0
  const space = line.lastIndexOf(" ", at)
  return space > at - CONTEXT && space !== -1 ? space + 1 : outsidePair(line, at)
}

function wordAfter(line: string, at: number): number {
  if (at >= line.length) return line.length
  const space = line.indexOf(" ", at)
  return space !== -1 && space < at + CONTEXT ? space : outsidePair(line, at)
}

function outsidePair(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line[at] ?? "") ? at - 1 : at
}
