// `explain`: why something is in the workspace's prompt, or isn't; or where it was in what a call sent.

import type { Outcome } from "../../../core/model/plan.ts"
import type { Explanation } from "../../../core/read/explain.ts"
import { unreadText } from "../../../core/read/unread-text.ts"
import { unusedText } from "../../../core/read/unused-text.ts"
import type { ShownPart, ShownSpan } from "../../page/shown.ts"
import { EXPLAIN } from "../definitions.ts"
import { ABOUT_ANSWER, fields, listOf, NUMBER, RANGE, TEXT } from "./answer-schema.ts"
import { detailOf, findCalls } from "./calls.ts"
import { type Found, type McpCall, mcpTool } from "./mcp-tool.ts"

const answer = fields(
  {
    ...{
      kind: TEXT,
      name: TEXT,
      outcome: TEXT,
      why: TEXT,
      tokens: NUMBER,
      partTokens: NUMBER,
      section: TEXT,
      path: TEXT,
    },
    ...{
      line: NUMBER,
      lines: RANGE,
      changes: TEXT,
      trust: TEXT,
      files: listOf(TEXT),
      match: TEXT,
      text: TEXT,
    },
  },
  [
    ...[
      "name",
      "outcome",
      "why",
      "tokens",
      "partTokens",
      "section",
      "path",
      "line",
      "lines",
      "changes",
      "trust",
      "files",
    ],
    ...["match", "text"],
  ],
)

export const explainTool = mcpTool(EXPLAIN, {
  answer: fields({ what: TEXT, call: TEXT, found: listOf(answer), ...ABOUT_ANSWER }, ["call", "left"]),
  async run({ what, call: id }, call) {
    if (id !== undefined) return inCall(what, id, call)
    const found = (await call.view.explain(what)).flatMap(shownExplanation)
    return { data: { what, found }, lists: ["found"], how: "ask for one of them by its full name" }
  },
})

function shownExplanation(item: Explanation): readonly Readonly<Record<string, unknown>>[] {
  if (item.kind === "section") {
    const { id, outcome, tokens, pace, trust, spans } = item.section
    const files = new Set(spans.flatMap(({ from }) => (from && "path" in from ? from.path : [])))
    const facts = { kind: "section", name: id, ...outcomeOf(outcome), tokens, changes: pace, trust }
    return [{ ...facts, ...(files.size > 0 && { files: [...files] }) }]
  }
  if (item.kind === "tool")
    return [{ kind: "tool", name: item.name, ...outcomeOf(item.outcome), tokens: item.tokens }]
  if (item.kind === "text") return [{ kind: "text", section: item.section, path: item.path, line: item.line }]
  return fileRows(item)
}

function fileRows({ path, uses, fate }: Extract<Explanation, { kind: "file" }>) {
  const head = { kind: "file", path }
  if (fate.kind === "used")
    return uses.map(({ section, lines }) => ({ ...head, outcome: "included", section, lines }))
  if (fate.kind === "unread") return [{ ...head, outcome: "not read", why: unreadText(fate.why) }]
  if (fate.kind === "withheld") {
    const why =
      fate.why === "trust"
        ? `It needs ${fate.needs} trust, and this is ${fate.has}.`
        : `It is not for this ${fate.why}.`
    return [{ ...head, outcome: "withheld", why }]
  }
  return [
    { ...head, section: fate.section, ...(fate.outcome ? outcomeOf(fate.outcome) : { outcome: "unused" }) },
  ]
}

/** What became of it, and why. */
export function outcomeOf(outcome: Outcome): { readonly outcome: string; readonly why?: string } {
  switch (outcome.kind) {
    case "unused":
      return { outcome: "unused", why: unusedText(outcome.why) }
    case "withheld":
      return { outcome: "withheld", why: `It needs ${outcome.needs} trust, and this is ${outcome.has}.` }
    case "truncated":
      return {
        outcome: "truncated",
        why: `Shortened from ${outcome.from} to ${outcome.to} tokens, by ${outcome.how}.`,
      }
    case "dropped":
      return { outcome: "dropped", why: `${outcome.overBy} tokens too long for the room left.` }
    default:
      return { outcome: outcome.kind }
  }
}

async function inCall(what: string, id: string, call: McpCall): Promise<Found> {
  const found = await findCalls(id, call, 1)
  const { parts } = await detailOf(found, call)
  const places = parts.flatMap((part) => placesIn(part, what))
  return {
    data: { what, call: found.call.id, found: places },
    lists: ["found"],
    how: "ask for a longer text",
  }
}

function placesIn(part: ShownPart, what: string): readonly Readonly<Record<string, unknown>>[] {
  const { tier, tool, role, tokens, text } = part
  const at = { kind: [tier, tool ?? role ?? ""].join(" ").trim(), partTokens: tokens }
  const owned = part.spans.filter(({ owner, section }) => isNamed(owner?.path, what) || section === what)
  if (owned.length > 0) return owned.map((span) => ({ ...at, ...placeOf(span) }))
  if (tool === what) return [at]
  const start = text.indexOf(what)
  if (start === -1) return []
  const span = part.spans.find((one) => one.start <= start && start < one.end)
  return [{ ...at, ...(span && placeOf(span)), text: lineAround(text, start, what.length) }]
}

function isNamed(path: string | undefined, what: string): boolean {
  return path !== undefined && (path === what || path.endsWith(`/${what}`))
}

function placeOf({ owner, section }: ShownSpan) {
  const { path, lines, match } = owner ?? {}
  return { ...(section !== null && { section }), path, lines, match }
}

const MOST_LINE = 400

function lineAround(text: string, start: number, length: number): string {
  const from = Math.max(text.lastIndexOf("\n", start) + 1, start - MOST_LINE / 2)
  const end = text.indexOf("\n", start + length)
  return text.slice(from, Math.min(end === -1 ? text.length : end, from + MOST_LINE))
}
