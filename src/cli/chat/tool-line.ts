// A tool call as one line, during and after its run: `read data/tides.csv … 120 ms`. The result is folded; unfolded, it
// is shown whole below the line.
import { stripVTControlCharacters } from "node:util"
import { plural } from "../../base/text/figures.ts"
import { durationText } from "../../record/ask/log.ts"
import { isFailedCommand, shellTool } from "../../tools/agent/shell.ts"
import type { Paint } from "../views/colour.ts"
import { cells, fitCell } from "../views/widths.ts"
import { visible, visibleLines } from "./screen/visible.ts"

export interface ToolUse {
  readonly call: string
  readonly name: string
  readonly input: unknown
  /** What it is at, in its own words. */
  readonly progress?: string
  /** Set once it is over; a call that was cut off has no duration. */
  readonly result?: { readonly text: string; readonly isError: boolean; readonly durationMs?: number }
}

export function toolLine(use: ToolUse, columns: number, paint: Paint): string {
  const { name, result } = use
  const isFailed = result !== undefined && hasFailed(name, result)
  const mark = result === undefined ? "○" : isFailed ? "✗" : "●"
  const subject = inputSubject(use.input)
  const end = endText(use, columns)
  const what = [visible(name), ...(subject === "" ? [] : [subject])].join(" ")
  const why = isFailed ? `: ${visible(firstLine(result.text))}` : ""
  const room = Math.max(8, columns - 2 - cells(end))
  // The reason of a failure says more than the end of a long name.
  const named = atMost(what, Math.max(room - cells(why), Math.floor((room * 2) / 3)))
  const text = atMost(`${named}${why}`, room)
  if (isFailed) return paint("red", `${mark} ${text}`) + paint("dim", end)
  return `${paint(result === undefined ? "yellow" : "green", mark)} ${text}${paint("dim", end)}`
}

function hasFailed(name: string, { text, isError }: NonNullable<ToolUse["result"]>): boolean {
  return isError || (name === shellTool.name && isFailedCommand(text))
}

function atMost(text: string, width: number): string {
  return fitCell(text, Math.min(width, cells(text)))
}

/** The call itself keeps most of the line. */
function endText({ result, progress }: ToolUse, columns: number): string {
  if (result === undefined)
    return progress === undefined ? " …" : ` … ${atMost(visible(progress), Math.floor(columns / 3))}`
  return result.durationMs === undefined ? "" : ` … ${spaced(durationText(result.durationMs))}`
}

const MAX_LINES = 400

export function unfolded(use: ToolUse, columns: number, paint: Paint): readonly string[] {
  const lines = visibleLines(stripVTControlCharacters(use.result?.text ?? ""))
  const left = lines.length - MAX_LINES
  return [
    toolLine(use, columns, paint),
    ...lines.slice(0, MAX_LINES).map((line) => paint("dim", `  ${line}`)),
    ...(left > 0 ? [paint("dim", `  ${plural(left, "more line")}`)] : []),
  ]
}

/** The argument to show for a call: the first of these that it has, else its first text. */
const SUBJECTS = ["path", "file", "command", "query", "pattern", "url", "task", "title", "name", "text"]

function inputSubject(input: unknown): string {
  if (typeof input === "string") return subject(input)
  if (typeof input !== "object" || input === null) return ""
  const fields = Object.entries(input).filter(
    (field): field is [string, string] => typeof field[1] === "string" && field[1] !== "",
  )
  const named = SUBJECTS.flatMap((name) => fields.filter(([key]) => key === name))[0] ?? fields[0]
  return named === undefined ? "" : subject(named[1])
}

/** Long runs of blanks would push the rest out of sight. */
function subject(text: string): string {
  const more = text.trim().split("\n").length - 1
  return `${visible(firstLine(text)).replaceAll(/ {2,}/g, " ")}${moreText(more)}`
}

/** For text that is shown by its first line. */
export function moreText(lines: number): string {
  return lines === 0 ? "" : ` (+${plural(lines, "line")})`
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/)[0] ?? ""
}

/** `120 ms`, `4.2 s`: as people write it. */
export function spaced(duration: string): string {
  return duration.replaceAll(/(\d)(ms|s|m)\b/g, "$1 $2")
}
