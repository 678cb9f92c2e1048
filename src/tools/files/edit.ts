// `edit`: replaces one exact piece of a file. Line ends are matched as LF and written as the file has them.
import { nearest } from "../../base/nearest.ts"
import { EDIT } from "../../profiles/incipit/tools/files.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { ToolFailure, type ToolHost } from "../host.ts"
import type { ToolInput } from "../tool-input.ts"
import { type Change, changeableBytes, changeFile, notWritable, refuseRedacted } from "./change-file.ts"
import { type OpenFile, shownPath, withFile } from "./open-file.ts"
import { formOf, inForm, lineCount, plainLines, textIn } from "./text-file.ts"

type Input = ToolInput<typeof EDIT.parameters>

export const editTool = defineTool({
  ...EDIT,
  asksFirst: true,
  async run(given, context) {
    refuseRedacted(given.old, given.new)
    const active = acting(context)
    const { files } = active.host
    const { line, ...change } = await withFile(files, given.path, (file) => edited(active.host, file, given))
    await changeFile(change, active)
    return `Edited ${shownPath(files, change.path)} at line ${line}: ${lineCount(given.old)} became ${lineCount(given.new)}.`
  },
})

interface Edited extends Change {
  readonly line: number
}

function edited({ files, redact }: ToolHost, file: OpenFile, given: Input): Edited {
  if (!files.mayWrite(file.path)) throw notWritable(files, file.path, shownPath(files, file.path))
  const before = changeableBytes(files, file)
  const text = textIn(before) ?? ""
  const plain = plainLines(text)
  const old = plainLines(given.old)
  if (old === "") throw new ToolFailure("The old text is empty.")
  if (old === plainLines(given.new)) throw new ToolFailure("Old and new text are the same.")
  const at = onlyPlace(plain, old, { name: shownPath(files, file.path), redact })
  const form = formOf(before)
  const after = Buffer.concat([
    Buffer.from(`${form.hasMark ? "\uFEFF" : ""}${text.slice(0, offsetIn(text, at))}`),
    inForm(given.new, { ...form, hasMark: false }),
    Buffer.from(text.slice(offsetIn(text, at + old.length))),
  ])
  return { path: file.path, before, after, line: plain.slice(0, at).split("\n").length }
}

/** No need to count further. */
const MOST_PLACES = 100

interface Place {
  readonly name: string
  readonly redact: ToolHost["redact"]
}

function onlyPlace(text: string, old: string, { name, redact }: Place): number {
  const places: number[] = []
  for (let at = text.indexOf(old); at !== -1 && places.length <= MOST_PLACES; at = text.indexOf(old, at + 1))
    places.push(at)
  const [place] = places
  if (place !== undefined && places.length === 1) return place
  if (place === undefined)
    throw new ToolFailure(
      `The old text does not occur in ${name}.${nearestLine(redact?.(text) ?? text, old)}`,
    )
  const times = places.length > MOST_PLACES ? `more than ${MOST_PLACES}` : places.length
  throw new ToolFailure(`The old text occurs ${times} times in ${name}; include more of the text around it.`)
}

/** Comparing takes time, and is not worth it for a data file. */
const MOST_LINES = 20_000

/** In quotes, so that white space is visible. */
function nearestLine(text: string, old: string): string {
  const wanted = old.split("\n").find((line) => line.trim() !== "")
  const lines = text.split("\n", MOST_LINES)
  const [near] = wanted === undefined ? [] : nearest(wanted, [...new Set(lines)])
  if (near === undefined) return ""
  return ` The closest is line ${lines.indexOf(near) + 1}: ${JSON.stringify(near.slice(0, 300))}`
}

/** Maps an offset in the text with LF line ends to the offset in the original text. */
function offsetIn(text: string, plainOffset: number): number {
  let pairs = 0
  for (
    let at = text.indexOf("\r\n");
    at !== -1 && at - pairs < plainOffset;
    at = text.indexOf("\r\n", at + 1)
  )
    pairs += 1
  return plainOffset + pairs
}
