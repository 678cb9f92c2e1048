// A bill as Markdown, for pull requests and chats. No text of a client's files is markup: see `cell`.
import type { BillSummary } from "./summary.ts"

export function markdownView(summary: BillSummary): string {
  const { title, facts, spent, cached, priceNotes, clients, where, twice, advice } = summary
  const parts = [
    `## ${cell(title)}`,
    `**${cell(spent)}**, ${cell(cached)}. ${cell(facts)}.`,
    priceNotes.length === 0 ? "" : `_${priceNotes.map(cell).join("; ")}_`,
    clients.length === 0
      ? ""
      : table(
          ["client", "sessions", "calls", "cost", "cached"],
          clients.map((row) => [row.name, row.sessions, row.calls, row.spent, row.cached]),
        ),
    ...section(
      "Where it went",
      table(
        ["", "cost", "share", ""],
        where.map((row) => [row.name, row.spent, row.percent, row.notes.join(", ")]),
      ),
      where.length,
    ),
    ...section(
      `Paid for twice: ${cell(twice.spent)}`,
      table(
        ["", "tokens", "cost", ""],
        twice.rows.map((row) => [
          row.text,
          row.tokens,
          row.spent,
          row.detailSpent === "" ? row.detail : `${row.detail}, ${row.detailSpent}`,
        ]),
      ),
      twice.rows.length,
    ),
    ...section(
      "Worth changing (simulated on these calls)",
      table(
        ["", "saves", ""],
        advice.map((row) => [
          row.isWorth ? row.text : `Not worth it: ${row.text}`,
          row.saves,
          row.command ?? "",
        ]),
      ),
      advice.length,
    ),
    [...summary.exactness, summary.reading].map((line) => `- ${cell(line)}`).join("\n"),
  ]
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}

function section(title: string, body: string, rows: number): readonly string[] {
  return rows === 0 ? [] : [`### ${title}`, body]
}

/** The first column and the last are text, the others figures. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (texts: readonly string[]) => `| ${texts.join(" | ")} |`
  const isText = (at: number) => at === 0 || (at === heads.length - 1 && heads[at] === "")
  const rule = heads.map((_, at) => (isText(at) ? "---" : "---:"))
  return [line(heads), line(rule), ...rows.map((row) => line(row.map(cell)))].join("\n")
}

/** Characters that are markup anywhere in a line, and `@` and `#`, which chats turn into mentions. */
const MARKUP = /[\\`*_{}[\]<>()#+!|~@&$:]/g

/** One line of text in which nothing is markup: as character references, which every renderer shows as they were. */
export function cell(text: string): string {
  return text.replaceAll(MARKUP, (char) => (PLAIN.has(char) ? char : `&#${char.charCodeAt(0)};`))
}

/** Harmless within a line of ours, and common in it. */
const PLAIN: ReadonlySet<string> = new Set(["(", ")", "+", "!", "$", ":"])
