// Reads a table of Markdown.
import type { Align, ReadBlock } from "./block.ts"
import { cellsOf, endsParagraph } from "./line-kinds.ts"

export function readTable(lines: readonly string[], at: number): ReadBlock {
  const [heads = [], delimiters = []] = lines.slice(at, at + 2).map(cellsOf)
  const rows = [heads]
  let to = at + 2
  for (; to < lines.length && !endsParagraph(lines, to); to += 1)
    rows.push(cellsOf(lines[to] ?? "").slice(0, heads.length))
  return { block: { kind: "table", aligns: delimiters.map(alignOf), rows }, from: at, to }
}

function alignOf(delimiter: string): Align {
  const isRight = delimiter.endsWith(":")
  if (delimiter.startsWith(":")) return isRight ? "center" : "left"
  return isRight ? "right" : undefined
}
