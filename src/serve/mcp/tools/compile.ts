// `compile`: the prompt that the workspace gives a new conversation, section by section, as the asker may see it.
import { visible } from "../../../core/model/plan.ts"
import { type ReportSection, report } from "../../../core/read/report.ts"
import { isOperator } from "../../api/operator.ts"
import { COMPILE } from "../definitions.ts"
import { ABOUT_ANSWER, fields, listOf, NUMBER, TEXT } from "./answer-schema.ts"
import { outcomeOf } from "./explain.ts"
import { mcpTool } from "./mcp-tool.ts"

const section = fields({ id: TEXT, outcome: TEXT, tokens: NUMBER, changes: TEXT, why: TEXT }, ["why"])

export const compileTool = mcpTool(COMPILE, {
  answer: fields(
    {
      ...{ profile: TEXT, trust: TEXT, situation: TEXT, promptTokens: NUMBER, budget: NUMBER, tools: NUMBER },
      ...{ toolTokens: NUMBER, sections: listOf(section), withheld: listOf(TEXT), problems: listOf(TEXT) },
      ...{ lines: listOf(TEXT), ...ABOUT_ANSWER },
    },
    ["withheld", "problems", "lines", "left"],
  ),
  async run({ text = false, ...asked }, { view }) {
    const { prompt } = await view.compile(asked)
    const seen = isOperator(view.reader) ? prompt : { ...prompt, plan: visible(prompt.plan) }
    const whole = report(seen)
    const sections = whole.sections.toSorted(sentFirst).map(shownSection)
    const tools = whole.tools.filter(({ outcome }) => outcome.kind === "included")
    const lines = whole.blocks.flatMap((block) => block.text.replace(/\n$/, "").split("\n"))
    return {
      data: {
        ...{ profile: whole.profile, trust: whole.trust, situation: whole.situation },
        promptTokens: whole.blocks.reduce((sum, { tokens }) => sum + tokens, 0),
        budget: whole.budget.window,
        ...{ tools: tools.length, toolTokens: tools.reduce((sum, { tokens }) => sum + tokens, 0) },
        ...(whole.withheld.length > 0 && {
          withheld: whole.withheld.map(({ path, needs }) => `${path} (${needs})`),
        }),
        ...(whole.diagnostics.length > 0 && {
          problems: whole.diagnostics.map(({ level, message }) => `${level}: ${message}`),
        }),
        sections,
        ...(text && { lines }),
      },
      lists: text ? ["sections", "problems", "withheld", "lines"] : ["sections", "problems", "withheld"],
      how: "explain has one section or file; the resource incipit://prompt has the whole text",
    }
  },
})

function sentFirst(one: ReportSection, other: ReportSection): number {
  return Number(other.tokens > 0) - Number(one.tokens > 0)
}

function shownSection({ id, outcome, tokens, pace }: ReportSection) {
  return { id, ...outcomeOf(outcome), tokens, changes: pace }
}
