// The comparison of `incipit check --ratchet`: a table for a terminal, or Markdown for a pull request.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { levelOf, sentence } from "../../../base/diagnostic.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { cell, table as markdownTable } from "../bill/markdown-view.ts"
import { painter } from "../colour.ts"
import { countsText } from "../diagnostics.ts"
import { fitColumns } from "../fit-columns.ts"
import type { Page } from "../page.ts"

/** One figure of both prompts; `limit` is in words. */
export interface RatchetRow {
  readonly what: string
  readonly unit: "tokens" | "usd" | "count"
  readonly before: number | null
  readonly after: number | null
  readonly limit: string
  readonly isOver: boolean
}

export interface Ratchet {
  /** The branch, tag or commit that it is compared with. */
  readonly against: string
  /** Empty if there is nothing to compare with. */
  readonly rows: readonly RatchetRow[]
  /** Files, tools and sections that take other room than before, largest difference first. */
  readonly changed: readonly { readonly name: string; readonly before: number; readonly after: number }[]
  readonly diagnostics: readonly Diagnostic[]
}

const MOST_PARTS = 10

export function ratchetView({ against, rows, changed }: Ratchet, page: Page): readonly string[] {
  if (rows.length === 0) return []
  const paint = painter(page)
  const heads = ["", escapeHidden(against), "now", "change", "limit", ""]
  const lines = rows.map((row) => [row.what, ...cellsOf(row), row.isOver ? "over" : "ok"])
  const parts = changed.slice(0, MOST_PARTS).map(partCells)
  const { line } = fitColumns([heads, ...lines, ...parts], ["limit", "change"], page.columns)
  return [
    paint("dim", line(heads)),
    ...lines.map((texts, at) => (rows[at]?.isOver ? paint("red", line(texts)) : line(texts))),
    ...(parts.length === 0 ? [] : ["", paint("dim", "what changed, in counted tokens")]),
    ...parts.map(line),
    ...(changed.length > MOST_PARTS ? [paint("dim", `and ${changed.length - MOST_PARTS} more`)] : []),
    "",
  ]
}

/** With the other diagnostics of the check below the table. */
export function checkMarkdown(ratchet: Ratchet | undefined, diagnostics: readonly Diagnostic[]): string {
  const { against = "", rows = [], changed = [] } = ratchet ?? {}
  const isOver = rows.some((row) => row.isOver)
  const heads = ["", cell(escapeHidden(against)), "now", "change", "limit", "result"]
  const lines = rows.map((row) => [row.what, ...cellsOf(row), row.isOver ? "over the limit" : "ok"])
  const parts = changed.slice(0, MOST_PARTS).map((part) => partCells(part).slice(0, 4))
  const more =
    changed.length > MOST_PARTS ? `\n\nAnd ${plural(changed.length - MOST_PARTS, "more part")}.` : ""
  const list = diagnostics.map((one) => `- **${levelOf(one)}**: ${cell(escapeHidden(sentence(one)))}`)
  const pieces = [
    `### Prompt check: ${isOver ? "over the limit" : countsText(diagnostics).replace(/\.$/, "").toLowerCase()}`,
    rows.length === 0 ? "" : markdownTable(heads, lines),
    parts.length === 0
      ? ""
      : `<details><summary>What changed, in counted tokens</summary>\n\n${markdownTable(["", "before", "now", "change"], parts)}${more}\n\n</details>`,
    list.join("\n"),
  ]
  return `${pieces.filter((piece) => piece !== "").join("\n\n")}\n`
}

function cellsOf({ unit, before, after, limit }: RatchetRow): readonly string[] {
  return [amount(before, unit), amount(after, unit), change(before, after, unit), limit]
}

function partCells({ name, before, after }: Ratchet["changed"][number]): readonly string[] {
  const figures = [amount(before, "count"), amount(after, "count"), change(before, after, "count")]
  return [escapeHidden(name), ...figures, "", ""]
}

function amount(value: number | null, unit: RatchetRow["unit"]): string {
  if (value === null) return "unknown"
  return unit === "usd" ? `$${value.toFixed(4)}` : thousands(Math.round(value))
}

function change(before: number | null, after: number | null, unit: RatchetRow["unit"]): string {
  if (before === null || after === null) return ""
  const by = after - before
  if (by === 0) return "same"
  const sign = by < 0 ? "−" : "+"
  const share =
    before === 0 || unit === "count" ? "" : ` (${sign}${((Math.abs(by) / before) * 100).toFixed(1)}%)`
  return `${sign}${amount(Math.abs(by), unit)}${share}`
}
