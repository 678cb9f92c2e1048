// The list for our own prompts: tools, the sections of the build report in the order of the prompt, the conversation.
import { byCodePoint } from "../../../src/base/order.ts"
import type { ReportSection } from "../../../src/core/read/report.ts"
import type { CallDetail, ShownPart } from "../../../src/serve/page/shown.ts"
import { counted } from "../../parts/figures.ts"
import { outcomeOf } from "../../parts/outcome.ts"
import { INCLUDED, type PromptList, type PromptRow, rowOf, type Weighed, weighed } from "./prompt-row.ts"
import { missingRows } from "./reasons.ts"

export function ownRows(detail: CallDetail): PromptList {
  const { parts, report } = detail
  const all = weighed(detail)
  const isTool = ({ part }: Weighed) => parts[part]?.tier === "tools"
  const current = currentParts(all)
  const isSection = (one: Weighed) =>
    !isTool(one) && one.span.section !== null && isCurrent(one, parts, current)
  const reported = new Map(report?.sections.map((section) => [section.id, section]))
  const sections = [...Map.groupBy(all.filter(isSection), ({ span }) => span.section ?? "")].map(
    ([id, own]) => {
      const section = reported.get(id)
      const outcome = section === undefined ? INCLUDED : outcomeOf(section.outcome)
      const pace = section?.pace ?? parts[own[0]?.part ?? 0]?.pace ?? null
      return rowOf({ key: id, title: id, pace, outcome, section }, own)
    },
  )
  const sectionIds = new Set(sections.map(({ key }) => key))
  const unplaced = (report?.sections ?? [])
    .filter(
      ({ id, outcome: { kind } }) => (kind === "included" || kind === "truncated") && !sectionIds.has(id),
    )
    .map((section) => unplacedRow(section))
  const rest = all.filter((one) => !isTool(one) && !isSection(one))
  const groups = [
    { title: "Tools", rows: toolRows(all.filter(isTool), parts) },
    { title: "Sections", rows: [...sections, ...unplaced] },
    { title: "Conversation", rows: talkRows(rest, parts) },
  ]
  return {
    groups: groups.filter(({ rows }) => rows.length > 0),
    missing: report === null ? [] : missingRows(report, sectionIds),
  }
}

/** Sent, but its text is not found in the request as it is shown, such as a section that was redacted. */
function unplacedRow(section: ReportSection): PromptRow {
  const facts = { key: section.id, title: section.id, pace: section.pace, section }
  return {
    ...rowOf({ ...facts, outcome: outcomeOf(section.outcome) }, []),
    tokens: section.tokens,
    costUsd: null,
    cache: null,
  }
}

/** The last part with text of a section: what it was in earlier turns is part of the conversation by now. */
function currentParts(all: readonly Weighed[]): ReadonlyMap<string, number> {
  return new Map(all.flatMap(({ span, part }) => (span.section === null ? [] : [[span.section, part]])))
}

function isCurrent(
  { span, part }: Weighed,
  parts: readonly ShownPart[],
  current: ReadonlyMap<string, number>,
): boolean {
  return parts[part]?.tier !== "messages" || current.get(span.section ?? "") === part
}

function toolRows(all: readonly Weighed[], parts: readonly ShownPart[]): readonly PromptRow[] {
  if (all.length === 0) return []
  const byName = Map.groupBy(all, ({ part }) => parts[part]?.tool ?? "tools")
  const pace = parts[all[0]?.part ?? 0]?.pace ?? null
  const children = [...byName].map(([name, own]) => rowOf({ key: `tool:${name}`, title: name, pace }, own))
  const title = counted(children.length, "tool")
  return [rowOf({ key: "(tools)", title, pace, source: "", children }, all)]
}

/** What is not of a section, by what it is. */
function talkRows(all: readonly Weighed[], parts: readonly ShownPart[]): readonly PromptRow[] {
  const groups = Map.groupBy(all, ({ part, span }) => talkKind(parts[part], span.section))
  return [...groups]
    .sort(([a], [b]) => byCodePoint(TALK[a]?.order ?? "z", TALK[b]?.order ?? "z"))
    .map(([kind, own]) => rowOf({ key: `(${kind})`, title: TALK[kind]?.title ?? kind }, own))
}

/** What a part of the conversation is, for parts of any client. */
export function talkKind(part: ShownPart | undefined, section: string | null): string {
  if (part === undefined) return "other"
  if (section !== null) return "turn-context"
  if (part.tier === "system") return "system"
  return part.kind === "text" ? (part.role ?? "other") : part.kind
}

/** Words for the kinds of `talkKind`. */
export const TALK: Readonly<Record<string, { readonly title: string; readonly order: string }>> = {
  system: { title: "Between sections", order: "a" },
  user: { title: "User messages", order: "b" },
  assistant: { title: "Answers", order: "c" },
  reasoning: { title: "Reasoning", order: "d" },
  "tool-call": { title: "Tool calls", order: "e" },
  "tool-result": { title: "Tool results", order: "f" },
  file: { title: "Attached files", order: "g" },
  "turn-context": { title: "Turn context of earlier turns", order: "h" },
  other: { title: "Other text", order: "i" },
}
