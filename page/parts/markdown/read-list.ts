// Reads a list of Markdown: which lines are those of which item. What they say is read by the caller.
import type { Block, ReadBlock } from "./block.ts"
import { endsParagraph, isBlank, type Marker, markerOf } from "./line-kinds.ts"

interface Reading {
  /** Of the first item. */
  readonly marker: Marker
  readonly read: (lines: readonly string[]) => readonly ReadBlock[]
}

export function readList(lines: readonly string[], at: number, { marker: first, read }: Reading): ReadBlock {
  const items: (readonly Block[])[] = []
  let isLoose = false
  let to = at
  for (let next = at, marker: Marker | undefined = first; marker?.kind === first.kind; ) {
    isLoose ||= next > to
    const inside = linesOfItem(lines, next, marker)
    const blocks = read(inside)
    isLoose ||= blocks.some(({ from }) => from > 0 && isBlank(inside[from - 1]))
    items.push(blocks.map(({ block }) => block))
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
    const indent = line.length - line.trimStart().length
    if (isBlank(line)) {
      if (marker.isEmpty && length === 1) break
      inside.push("")
      continue
    }
    if (indent >= marker.width || isNested(line, indent, marker))
      inside.push(line.slice(Math.min(indent, marker.width)))
    else if (isBlank(lines[next - 1]) || markerOf(line) !== undefined || endsParagraph(lines, next)) break
    else inside.push(line.trimStart())
    length = inside.length
  }
  return inside.slice(0, length)
}

/** Bullets below a number are its own, even if they are indented by less than the number is wide. */
function isNested(line: string, indent: number, { indent: before, number }: Marker): boolean {
  const inner = indent >= before + 2 ? markerOf(line.trimStart()) : undefined
  return inner !== undefined && (inner.number === undefined) !== (number === undefined)
}
