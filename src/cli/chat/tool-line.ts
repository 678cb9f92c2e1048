// A call of a tool as one line, while it runs and after: `read data/tides.csv … 120 ms`. The result is folded; unfolded
// it is shown whole, under its line.
import { stripVTControlCharacters } from "node:util"
import { durationText } from "../../record/log.ts"
import { cells, fitCell, type Paint, plural } from "../terminal.ts"
import { visible, visibleLines } from "./visible.ts"

export interface ToolUse {
  readonly call: string
  readonly name: string
  readonly input: unknown
  /** When it was over; how long it took is not known of one that was cut off. */
  readonly result?: { readonly text: string; readonly isError: boolean; readonly durationMs?: number }
}

export function toolLine(use: ToolUse, columns: number, paint: Paint): string {
  const { name, result } = use
  const mark = result === undefined ? "○" : result.isError ? "✗" : "●"
  const subject = subjectOf(use.input)
  const end = endOf(result)
  const what = [visible(name), ...(subject === "" ? [] : [subject])].join(" ")
  const why = result?.isError ? `: ${visible(firstLine(result.text))}` : ""
  const room = Math.max(8, columns - 2 - cells(end))
  const text = fitCell(`${what}${why}`, Math.min(room, cells(`${what}${why}`)))
  if (result?.isError) return paint("red", `${mark} ${text}`) + paint("dim", end)
  return `${paint(result === undefined ? "yellow" : "green", mark)} ${text}${paint("dim", end)}`
}

function endOf(result: ToolUse["result"]): string {
  if (result === undefined) return " …"
  return result.durationMs === undefined ? "" : ` … ${spaced(durationText(result.durationMs))}`
}

const MOST_LINES = 400

export function unfolded(use: ToolUse, columns: number, paint: Paint): readonly string[] {
  const lines = visibleLines(stripVTControlCharacters(use.result?.text ?? ""))
  const left = lines.length - MOST_LINES
  return [
    toolLine(use, columns, paint),
    ...lines.slice(0, MOST_LINES).map((line) => paint("dim", `  ${line}`)),
    ...(left > 0 ? [paint("dim", `  ${plural(left, "more line")}`)] : []),
  ]
}

/** What a call is about: the first of these that it has, else its first text. */
const SUBJECTS = ["path", "file", "command", "query", "pattern", "url", "task", "title", "name", "text"]

function subjectOf(input: unknown): string {
  if (typeof input === "string") return visible(firstLine(input))
  if (typeof input !== "object" || input === null) return ""
  const fields = Object.entries(input).filter(
    (field): field is [string, string] => typeof field[1] === "string" && field[1] !== "",
  )
  const named = SUBJECTS.flatMap((name) => fields.filter(([key]) => key === name))[0] ?? fields[0]
  return named === undefined ? "" : visible(firstLine(named[1]))
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/)[0] ?? ""
}

/** `120 ms`, `4.2 s`: as people write it. */
export function spaced(duration: string): string {
  return duration.replaceAll(/(\d)(ms|s|m)\b/g, "$1 $2")
}
