// Lines for a screen of some width: sentences wrapped between words, and tables whose last column shrinks.
import { cells, fitCell, wrap } from "../../views/widths.ts"

/** Wraps between words and keeps the indent. Of coloured lines, only those in one colour are wrapped. */
export function broken(line: string, columns: number): readonly string[] {
  const [, start = "", text = line, end = ""] = ONE_COLOUR.exec(line) ?? []
  if (text.includes("\u001b") || cells(text) <= columns) return [line]
  const indent = /^ */.exec(text)?.[0] ?? ""
  return wrap(text.trimStart(), columns - indent.length).map((part) => `${start}${indent}${part}${end}`)
}

/** The form that `painter` writes. */
const ONE_COLOUR = /^(\p{Cc}\[\d+m)(.*)(\p{Cc}\[\d+m)$/u

/** Columns as wide as needed, the last one with the remaining width; numbers are right-aligned. */
export function table(rows: readonly (readonly string[])[], columns: number): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(0, ...rows.map((row) => cells(row[at] ?? ""))))
  const most = Math.max(8, Math.floor(columns / 2))
  return rows.map((row) => {
    const text = row
      .map((cell, at) =>
        at === row.length - 1
          ? cell
          : fitCell(cell, Math.min(most, widths[at] ?? 0), /^[\d,]+$/.test(cell) ? "right" : "left"),
      )
      .join("  ")
    return fitCell(text, columns).trimEnd()
  })
}
