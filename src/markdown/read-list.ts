// Reads a list of Markdown: which lines are those of which item. What they say is read by the caller.
import type { ReadBlock } from "./block.ts"
import { endsParagraph, FENCE_END, isBlank, type Marker, markerOf } from "./line-kinds.ts"

interface Reading {
  /** Of the first item. */
  readonly marker: Marker
  readonly read: (lines: readonly string[]) => readonly ReadBlock[]
}

export function readList(lines: readonly string[], at: number, { marker: first, read }: Reading): ReadBlock {
  const items: (readonly ReadBlock[])[] = []
  let isLoose = false
  let to = at
  for (let next = at, marker: Marker | undefined = first; marker?.kind === first.kind; ) {
    isLoose ||= next > to
    const inside = linesOfItem(lines, next, marker)
    const blocks = read(inside)
    isLoose ||= blocks.some(({ from }) => from > 0 && isBlank(inside[from - 1]))
    items.push(blocks)
    next += inside.length
    to = next
    while (next < lines.length && isBlank(lines[next])) next += 1
    marker = markerOf(lines[next] ?? "")
  }
  return { block: { kind: "list", start: first.number, isLoose, items }, from: at, to }
}

/** Without what it begins with, nor empty lines at its end. */
function linesOfItem(lines: readonly string[], at: number, marker: Marker): readonly string[] {
  const inside = [(lines[at] ?? "").slice(marker.width)]
  let length = 1
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? ""
    if (isBlank(line)) {
      if (marker.isEmpty && length === 1) break
      inside.push("")
      continue
    }
    const indent = indentInItem(lines, next, marker)
    if (indent === undefined) break
    inside.push(line.slice(indent))
    length = inside.length
  }
  return inside.slice(0, length)
}

/** How much of a line's indent is that of an item; undefined if the line does not go on with the item. */
export function indentInItem(lines: readonly string[], at: number, marker: Marker): number | undefined {
  const line = lines[at] ?? ""
  const indent = line.length - line.trimStart().length
  if (indent >= marker.width || isNested(line, indent, marker)) return Math.min(indent, marker.width)
  const before = lines[at - 1] ?? ""
  // Nothing goes on with code behind its end.
  const isEnd = isBlank(before) || FENCE_END.test(before.trim())
  return isEnd || markerOf(line) !== undefined || endsParagraph(lines, at) ? undefined : indent
}

/** Bullets below a number are its own, even if they are indented by less than the number is wide. */
function isNested(line: string, indent: number, { indent: before, number }: Marker): boolean {
  const inner = indent >= before + 2 ? markerOf(line.trimStart()) : undefined
  return inner !== undefined && (inner.number === undefined) !== (number === undefined)
}
