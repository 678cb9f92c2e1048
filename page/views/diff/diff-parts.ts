// One side in parts with a name and a text, so that it can be compared: sections and tools of our own prompts, whose text
// it is for other clients, and the conversation.
import type { Report } from "../../../src/core/read/report.ts"
import type { CallDetail } from "../../../src/serve/page/shown.ts"
import { outcomeOf } from "../../parts/outcome.ts"
import { promptList } from "../prompt/owner-rows.ts"
import { type MissingRow, merged, type PromptRow } from "../prompt/prompt-row.ts"
import { missingRows } from "../prompt/reasons.ts"

export interface DiffPart {
  readonly key: string
  readonly title: string
  readonly group: string
  /** The files that it comes from, with lines. */
  readonly source: string
  readonly tokens: number
  /** Whether it belongs to the cached prefix: a change of it is paid for by everything after it. */
  readonly isPrefix: boolean
  /** Null if it isn't known, as that of tools in a build report. */
  readonly text: string | null
  /** Such as "truncated: 900 to 400 tokens"; empty for what was simply sent. */
  readonly outcome: string
}

export interface DiffSide {
  readonly parts: readonly DiffPart[]
  /** Why something is not there, by key. */
  readonly reasons: ReadonlyMap<string, string>
  readonly tokens: number
  readonly model: string
}

export function partsOfCall(detail: CallDetail): DiffSide {
  const { groups, missing } = promptList(detail)
  const parts = groups.flatMap(({ title, rows }) =>
    rows
      .flatMap((row) => (row.children.length > 0 ? row.children : [row]))
      .map((row) => partOf(row, title, detail)),
  )
  const tokens = detail.parts.reduce((sum, part) => sum + part.tokens, 0)
  return { parts, reasons: reasonsOf(missing), tokens, model: detail.call.model }
}

function partOf(row: PromptRow, group: string, { parts }: CallDetail): DiffPart {
  const text = joined(row.stretches.map(({ part, start, end }) => parts[part]?.text.slice(start, end)))
  const { key, title, source, tokens } = row
  // A report has no text of tools.
  const isUnknown = text === "" && tokens > 0
  const isPrefix = row.stretches.some(({ part }) => parts[part]?.tier !== "messages")
  const facts = { text: isUnknown ? null : text, outcome: wordsOf(row.outcome) }
  return { key, title, group, source, tokens, isPrefix, ...facts }
}

/** A line each, however the pieces end. What touches must be merged before: it may not end at the end of a line. */
function joined(texts: readonly (string | undefined)[]): string {
  return texts
    .map((one = "") => one.replace(/\n+$/, ""))
    .join("\n")
    .trim()
}

function wordsOf({ word, reason }: PromptRow["outcome"]): string {
  if (word === "included") return ""
  return reason === undefined ? word : `${word}: ${reason}`
}

/** The reason of what stands in the conversation: it is not gone. */
export const STANDING = "not sent again: it stands in the conversation, the same since"

function reasonsOf(missing: readonly MissingRow[]): ReadonlyMap<string, string> {
  return new Map(
    missing.map(({ key, outcome }) => [
      key.replace(/^missing:/, ""),
      outcome.sign === "unchanged" ? STANDING : wordsOf(outcome),
    ]),
  )
}

/** A prompt that was compiled and not sent. It has no conversation. */
export function partsOfReport(report: Report): DiffSide {
  const { factor } = report.budget
  const sections = report.sections
    .filter(({ spans }) => spans.length > 0)
    .map((section): DiffPart => {
      const text = joined(
        merged(section.spans.map(({ block, start, end }) => ({ part: block, start, end }))).map(
          ({ part, start, end }) => report.blocks[part]?.text.slice(start, end),
        ),
      )
      const outcome = wordsOf(outcomeOf(section.outcome))
      const tokens = Math.round(section.tokens * factor)
      const isPrefix = section.spans.some(({ block }) => report.blocks[block]?.placement === "head")
      const facts = { source: filesOf(section), tokens, isPrefix, text, outcome }
      return { key: section.id, title: section.id, group: "Sections", ...facts }
    })
  const tools = report.tools
    .filter(({ tokens }) => tokens > 0)
    .map(({ name, tokens }): DiffPart => {
      const size = { tokens: Math.round(tokens * factor), isPrefix: true, text: null, outcome: "" }
      return { key: `tool:${name}`, title: name, group: "Tools", source: "", ...size }
    })
  const parts = [...tools, ...sections]
  const sent = new Set(sections.map(({ key }) => key))
  return {
    parts,
    reasons: reasonsOf(missingRows(report, sent)),
    tokens: parts.reduce((sum, part) => sum + part.tokens, 0),
    model: report.model ?? "",
  }
}

function filesOf({ spans }: Report["sections"][number]): string {
  const paths = spans.flatMap(({ from }) => (from !== undefined && "path" in from ? [from.path] : []))
  return [...new Set(paths)].join(", ")
}
