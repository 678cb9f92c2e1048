// A Markdown table: as columns if they fit, else each row as a list of its cells with their column names.
import type { Align, Table } from "../../../markdown/block.ts"
import type { Page } from "../../views/page.ts"
import { cells } from "../../views/widths.ts"
import { type Line, lineText, type Span, span, wrapSpans } from "../screen/styled.ts"
import { inlineSpans } from "./inline.ts"

export function tableLines({ rows, aligns }: Table, page: Page): readonly Line[] {
  const spans = (text: string, isHead: boolean) =>
    inlineSpans(text, page, isHead && page.colour ? ["bold"] : [])
  // Rows may have fewer cells than there are columns.
  const [heads = [], ...body] = rows.map((row, at) => row.map((text) => spans(text, at === 0)))
  const widths = aligns.map(() => 1)
  for (const row of [heads, ...body])
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 1, cells(lineText(cell)))
  const whole = widths.reduce((sum, width) => sum + width, (widths.length - 1) * 3)
  if (whole > page.columns)
    return body.length === 0 ? asLists([], [heads], page.columns) : asLists(heads, body, page.columns)
  const line = (row: readonly Line[]): Line =>
    widths.flatMap((width, at): readonly Span[] => [
      ...(at === 0 ? [] : [span(" │ ", "dim")]),
      ...padded(row[at] ?? [], { width, align: aligns[at], isLast: at === widths.length - 1 }),
    ])
  const rule = span(widths.map((width) => "─".repeat(width)).join("─┼─"), "dim")
  return [line(heads), [rule], ...body.map(line)]
}

function padded(
  line: Line,
  { width, align, isLast }: { width: number; align: Align; isLast: boolean },
): Line {
  const room = width - cells(lineText(line))
  const before = align === "right" ? room : align === "center" ? Math.floor(room / 2) : 0
  return [span(" ".repeat(before)), ...line, span(" ".repeat(isLast ? 0 : room - before))]
}

function asLists(
  heads: readonly Line[],
  rows: readonly (readonly Line[])[],
  columns: number,
): readonly Line[] {
  return rows.flatMap((row) =>
    row.flatMap((cell, at) => {
      // A short row of a wide table would be a line for each cell that it does not have.
      if (at > 0 && cell.length === 0) return []
      const name = lineText(heads[at] ?? [])
      const text = [...(name === "" ? [] : [span(`${name}: `, "dim")]), ...cell]
      const lines = wrapSpans(text, Math.max(1, columns - 2))
      return lines.map((line, index) => [span(at === 0 && index === 0 ? "- " : "  ", "dim"), ...line])
    }),
  )
}
