// `incipit_trace`: everything that happened to one message, as a tree, limited to what the caller may see.
import { z } from "zod"
import { latestTurn, traceLines, traceOf } from "../../record/ask/trace.ts"
import { localTime } from "../../record/ask/zone.ts"
import { type Answer, defineAnswering, lineOf, said } from "../answer.ts"
import { sightOf, type ToolContext } from "./asker.ts"

const input = z.strictObject({
  turn: z
    .string()
    .min(1)
    .optional()
    .describe("The id of a turn or of a trace; the last one before this if absent."),
})

export const traceTool = defineAnswering({
  name: "incipit_trace",
  isReadOnly: true,
  description:
    "Shows what happened to one message: trust, prompt, model calls, tools and reply, with times, tokens and errors.",
  input,
  answer: trace,
})

function trace({ turn }: z.infer<typeof input>, context: ToolContext): Answer {
  const sight = sightOf(context)
  const besides = context.scope?.origin?.turn
  const found = context.record.read((database) => {
    const id = turn ?? latestTurn(database, { sight, besides })
    return id === undefined ? undefined : traceOf(database, id, sight)
  })
  // A hidden turn and one that never existed look the same.
  if (found === undefined) return said("No such turn.")
  return {
    head: [`started ${localTime(found.at, context.timeZone)}`],
    lines: traceLines(found).map(lineOf),
  }
}
