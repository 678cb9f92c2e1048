// `incipit_cost`: what calls cost, limited to those that the caller may see.
import { COST } from "../../profiles/incipit/tools/self.ts"
import { type CostReport, type CostRow, type CostSums, costs } from "../../record/ask/cost.ts"
import { bare, dollars } from "../../record/ask/log.ts"
import { parseSince } from "../../record/ask/since.ts"
import { localTime } from "../../record/ask/zone.ts"
import { OFFLINE_CALLS } from "../../record/prices/offline-calls.ts"
import { type Answer, answered, lineOf, sentenceAnswer } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import { ToolFailure } from "../host.ts"
import { sightOf, type ToolContext } from "../tool-context.ts"
import type { ToolInput } from "../tool-input.ts"

export const costTool = defineTool({
  ...COST,
  run: (input, context) => answered(COST.name, context, () => cost(input, context)),
})

async function cost(
  { by = "day", since }: ToolInput<typeof COST.parameters>,
  context: ToolContext,
): Promise<Answer> {
  const from = since === undefined ? undefined : parseSince(since, context.now(), context.timeZone)
  if (since !== undefined && from === undefined)
    throw new ToolFailure("The input is not valid: since: not a time; for example 12h, today, 2026-11-15.")
  const { timeZone } = context
  const sight = sightOf(context)
  if (sight !== undefined && (by === "section" || by === "file"))
    return sentenceAnswer("Only the owner can see the costs of sections and files, in a direct conversation.")
  const report = await context.record.read((store) => costs(store, { by, since: from, timeZone, sight }))
  if (report.rows.length === 0) return sentenceAnswer("No calls.")
  return {
    head: [report.since === undefined ? `by ${by}` : `by ${by}, since ${localTime(report.since, timeZone)}`],
    // For days, the newest matter most.
    lines: (by === "day" ? report.rows.toReversed() : report.rows).map((row) => lineOf(rowText(row))),
    noun: by,
    foot: [`total ${sumsText(report.total)}`, ...notes(report)],
  }
}

function rowText(row: CostRow): string {
  return `${row.key === "" ? "(none)" : bare(row.key)} ${sumsText(row)}`
}

function sumsText({ calls, unpriced, uncached, read, write, output, costUsd }: CostSums): string {
  return [
    ...(calls === null ? [] : [`calls=${calls}`]),
    ...(unpriced ? [`unpriced=${unpriced}`] : []),
    `uncached=${Math.round(uncached)}`,
    `cache_read=${Math.round(read)}`,
    `cache_write=${Math.round(write)}`,
    `output=${Math.round(output)}`,
    `cost=${costUsd === null ? "unknown" : dollars(costUsd)}`,
  ].join(" ")
}

function notes({ turns, total, unmeasured, offline }: CostReport): readonly string[] {
  const { count, averageUsd, unpriced } = turns
  const least = unpriced > 0 ? "at least " : ""
  return [
    ...(averageUsd === null ? [] : [`average per turn: ${least}${dollars(averageUsd)} (turns=${count})`]),
    ...(total.unpriced ? [`${total.unpriced} without a known price, not counted in dollars`] : []),
    ...(offline > 0 ? [OFFLINE_CALLS] : []),
    ...(unmeasured > 0 ? [`${unmeasured} without known token counts, not counted at all`] : []),
  ]
}
