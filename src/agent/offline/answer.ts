// How the offline model reports the results of tools: short quotes, with refusals and errors named as such. It never
// claims that something was done; it quotes the tool.
import type { Called } from "./view.ts"

const MOST_LINES = 12
const LONGEST_LINE = 240

/** What became of a call that has no answer to quote; undefined if it has one. */
export function troubleOf({ tool, result }: Called): string | undefined {
  if (result === undefined) return `There is no result from ${tool}, so I don't know whether it ran.`
  const [first = ""] = result.lines
  // The memory tools report their own errors.
  const [, refused] = /^status=error:? ?(.*)$/.exec(first) ?? []
  if (refused !== undefined) return `${tool} reported a failure: ${clipped(refused) || "no reason given"}`
  if (!result.isError) return undefined
  const why = result.lines.filter((line) => line.trim() !== "").slice(0, 3)
  return `${tool} reported a failure: ${clipped(why.join(" ")) || "no reason given"}`
}

/** Quotes a tool's result. */
export function saidBy(called: Called, most = MOST_LINES): string {
  const trouble = troubleOf(called)
  if (trouble !== undefined) return trouble
  const lines = called.result?.lines ?? []
  return lines.join("").trim() === ""
    ? `${called.tool} returned nothing to show.`
    : `${called.tool} returned:\n${quoted(lines, most)}`
}

/** Quotes several calls; successful ones of the same tool are merged. */
export function saidByAll(done: readonly Called[]): string {
  const [first] = done
  const isOne = done.every((called) => called.tool === first?.tool && troubleOf(called) === undefined)
  if (first === undefined || !isOne) return done.map((called) => saidBy(called)).join("\n")
  const lines = done.flatMap(({ result }) => result?.lines ?? [])
  return saidBy({ tool: first.tool, result: { lines, isError: false } })
}

/** Quotes the lines unchanged, in a fence that none of them can close. */
export function quoted(lines: readonly string[], most = MOST_LINES): string {
  const shown = lines.slice(0, most).map((line) => clipped(line))
  const left = lines.length - shown.length
  if (lines.length === 1) return `> ${shown.join("")}`
  const ticks =
    Math.max(2, ...shown.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length)) + 1
  const fence = "`".repeat(ticks)
  const more = left > 0 ? [`(${linesText(left, "more line")})`] : []
  return [`${fence}text`, ...shown, fence, ...more].join("\n")
}

export function linesText(count: number, name = "line"): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`
}

/** Cuts between code points, so that no character is split. */
export function clipped(text: string, most = LONGEST_LINE): string {
  const points = [...text.trimEnd()]
  return points.length <= most ? text.trimEnd() : `${points.slice(0, most).join("")}...`
}

export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.?!])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
}

/** Words too common to identify a topic. */
const COMMON: ReadonlySet<string> = new Set(
  "a about an and are at be by can did do does for from has have how i in is it its me my of on or our say says that the their there this to was we were what when where which who why will with you your".split(
    " ",
  ),
)

export function keywordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  return [...new Set(words.filter((word) => !COMMON.has(word)))]
}
