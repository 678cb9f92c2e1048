// `incipit_explain`: why something is or isn't in this session's prompt. Looks only at what was sent in the session;
// the runner of the session provides the function that knows its prompt.
import { type Outcome, visible } from "../../core/model/plan.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { type Explanation, explain } from "../../core/read/explain.ts"
import { type Report, type ReportSection, report } from "../../core/read/report.ts"
import { EXPLAIN } from "../../profiles/incipit/tools/self.ts"
import { bare } from "../../record/ask/log.ts"
import { type Answer, answered, lineOf, sentenceAnswer } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import type { ToolContext } from "../tool-context.ts"
import type { ToolInput } from "../tool-input.ts"

export const explainTool = defineTool({
  ...EXPLAIN,
  run: (input, context) => answered(EXPLAIN.name, context, () => answerOf(input, context)),
})

function answerOf({ what }: ToolInput<typeof EXPLAIN.parameters>, { explain: ask }: ToolContext): Answer {
  if (ask === undefined) return sentenceAnswer("The prompt of this session cannot be inspected.")
  const lines = ask(what)
  return lines.length === 0
    ? sentenceAnswer("Nothing like that was sent in this session.")
    : { lines: lines.map(lineOf) }
}

/** Explains from the part of a prompt that its session may see. */
export function explainer(prompt: Prompt): (what: string) => readonly string[] {
  const whole = report({ ...prompt, plan: visible(prompt.plan) })
  return (what) => {
    const uses = fileLines(whole, what)
    return uses.length > 0 ? uses : explain(whole, what, []).flatMap(explanationLines)
  }
}

function fileLines({ sections }: Report, what: string): readonly string[] {
  return sections.flatMap(({ id, tokens, spans }) =>
    spans.flatMap(({ from }) =>
      from !== undefined && "path" in from && (from.path === what || from.path.endsWith(`/${what}`))
        ? [
            `file ${bare(from.path)}: lines ${from.lines.join(" to ")} in section ${bare(id)}, tokens=${tokens}`,
          ]
        : [],
    ),
  )
}

function explanationLines(item: Explanation): readonly string[] {
  if (item.kind === "section") return sectionLines(item.section)
  if (item.kind === "tool")
    return [`tool ${bare(item.name)}: ${outcomeText(item.outcome)}, tokens=${item.tokens}`]
  if (item.kind === "file") return []
  const source = item.path === undefined ? "" : `, from ${bare(item.path)} line ${item.line}`
  return [`text in section ${bare(item.section)}${source}`]
}

function sectionLines({
  id,
  outcome,
  tokens,
  pace,
  priority,
  trust,
  spans,
  by,
}: ReportSection): readonly string[] {
  const paths = new Set(
    spans.flatMap(({ from }) => (from !== undefined && "path" in from ? [from.path] : [])),
  )
  return [
    `section ${bare(id)}: ${outcomeText(outcome)}, tokens=${tokens} pace=${pace} priority=${priority} trust=${trust}`,
    ...[...paths].map((path) => `  from ${bare(path)}`),
    ...by.map((author) => `  edited by ${bare(author)}`),
  ]
}

function outcomeText(outcome: Outcome): string {
  if (outcome.kind === "truncated")
    return `truncated from ${outcome.from} to ${outcome.to} tokens, by ${outcome.how}`
  if (outcome.kind === "dropped") return `dropped, ${outcome.overBy} tokens too long for the room left`
  return outcome.kind
}
