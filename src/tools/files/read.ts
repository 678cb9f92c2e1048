// `read`: the text of a file, in whole lines, as much as fits. The last line says what was left out.
import { MAX_LINES, READ } from "../../profiles/incipit/tools/files.ts"
import { type ActingContext, acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { fittingLines, roomIn } from "../fit-lines.ts"
import { ToolFailure } from "../host.ts"
import type { ToolInput } from "../tool-input.ts"
import { type Scan, scanLines } from "./line-scan.ts"
import { type OpenFile, shownPath, withFile } from "./open-file.ts"

type Input = ToolInput<typeof READ.parameters>

export const readTool = defineTool({
  ...READ,
  async run(wanted, given) {
    const context = acting(given)
    const kept = await context.host.kept?.(wanted.path)
    if (kept !== undefined) return partOfResult(kept, wanted, context)
    return withFile(context.host.files, wanted.path, (file) => partOf(file, wanted, context))
  },
})

/** Reads the full result of another tool that was cut. */
function partOfResult(
  text: string,
  { path, from = 1, lines = MAX_LINES }: Input,
  context: ActingContext,
): string {
  const all = text.split("\n")
  const wanted = all.slice(from - 1, from - 1 + lines)
  if (wanted.length === 0) throw new ToolFailure(`${path} has ${all.length} lines; there is no line ${from}.`)
  return withinRoom({ lines: wanted, isCut: false, total: all.length }, from, context)
}

async function partOf(
  file: OpenFile,
  { from = 1, lines = MAX_LINES }: Input,
  context: ActingContext,
): Promise<string> {
  const { files, signal } = context.host
  const name = shownPath(files, file.path)
  const scan = await scanLines(file, { from, lines, signal })
  if (scan === undefined) throw new ToolFailure(`${name} is not a text file (${file.size} bytes).`)
  files.touched(file.path)
  if (scan.total === 0) return `${name} is empty.`
  if (scan.lines.length === 0)
    throw new ToolFailure(
      scan.total === undefined
        ? `Line ${from} of ${name} is too far into the file to be read.`
        : `${name} has ${scan.total} lines; there is no line ${from}.`,
    )
  return withinRoom(scan, from, context)
}

function withinRoom(scan: Scan, from: number, context: ActingContext): string {
  const { counter } = context
  const room = roomIn(context)
  const fitting = fittingLines(scan.lines, room, counter)
  const [begin = ""] = scan.lines
  const first = context.host.redact?.(begin) ?? begin
  const isLong = fitting === 0 || scan.isCut
  const shown = isLong ? [first.slice(0, counter.prefix(first, room))] : scan.lines.slice(0, fitting)
  const next = from + shown.length
  const notes = [
    ...(isLong ? [`line ${from} is too long; only its beginning is shown`] : []),
    ...restNote(next, scan.total),
  ]
  return [...shown, ...(notes.length === 0 ? [] : [`[${notes.join("; ")}]`])].join("\n")
}

function restNote(next: number, total: number | undefined): readonly string[] {
  if (total === undefined) return [`the lines from ${next} on are left out; continue with from=${next}`]
  if (next > total) return []
  const which = next === total ? `line ${next} is` : `lines ${next} to ${total} are`
  return [`${which} left out; continue with from=${next}`]
}
