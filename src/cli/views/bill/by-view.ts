// One table of a bill, for `incipit bill --by`: in a terminal, with the columns that fit, or as Markdown.

import { plural } from "../../../base/text/figures.ts"
import { painter } from "../colour.ts"
import { fitColumns } from "../fit-columns.ts"
import type { Page } from "../page.ts"
import { wrap } from "../widths.ts"
import { table as markdownTable } from "./markdown-view.ts"
import type { BillTable } from "./tables.ts"

/** What a narrow terminal leaves out, in this order. */
const DROPPED_FIRST = [
  "folder",
  "written",
  "output",
  "uncached",
  "read",
  "client",
  "when",
  "carried",
  "calls",
]

export function byView({ heads, rows, total, left }: BillTable, page: Page): readonly string[] {
  const paint = painter(page)
  const columns = fitColumns(
    [heads, ...rows, ...(total === undefined ? [] : [total])],
    DROPPED_FIRST,
    page.columns,
  )
  const notes = [
    ...(left === 0 ? [] : [`${plural(left, "more row")}; --json has all`]),
    ...(columns.left.length === 0
      ? []
      : [`columns left out (the terminal is too narrow): ${columns.left.join(", ")}`]),
  ]
  return [
    paint("dim", columns.line(heads)),
    ...rows.map(columns.line),
    ...(total === undefined ? [] : [paint("bold", columns.line(total))]),
    ...notes.flatMap((note) => wrap(note, page.columns)).map((note) => paint("dim", note)),
  ]
}

export function byMarkdown({ title, heads, rows, total, left }: BillTable): string {
  const all = total === undefined ? rows : [...rows, total]
  const more = left === 0 ? "" : `\n\n${plural(left, "more row")}.`
  return `## ${title}\n\n${markdownTable(heads, all)}${more}\n`
}
