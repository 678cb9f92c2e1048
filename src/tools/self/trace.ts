// `incipit_trace`: everything that happened to one message, as a tree, limited to what the caller may see.
import { TRACE } from "../../profiles/incipit/tools/self.ts"
import { traceLines, traceOf } from "../../record/ask/trace.ts"
import { localTime } from "../../record/ask/zone.ts"
import { type Answer, answered, lineOf, sentenceAnswer } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import { sightOf, type ToolContext } from "../tool-context.ts"
import type { ToolInput } from "../tool-input.ts"

export const traceTool = defineTool({
  ...TRACE,
  run: (input, context) => answered(TRACE.name, context, () => trace(input, context)),
})

async function trace({ turn }: ToolInput<typeof TRACE.parameters>, context: ToolContext): Promise<Answer> {
  const sight = sightOf(context)
  const besides = context.scope?.origin?.turn
  const found = await context.record.read(async (store) => {
    const id = turn ?? (await store.events.latestTurn({ sight, besides }))
    return id === undefined ? undefined : traceOf(store, id, sight)
  })
  // A hidden turn and one that never existed look the same.
  if (found === undefined) return sentenceAnswer("No such turn.")
  return {
    head: [`started ${localTime(found.at, context.timeZone)}`],
    lines: traceLines(found).map(lineOf),
  }
}
