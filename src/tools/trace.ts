// `incipit_trace`: everything that happened to one message, as a tree, as far as the asker may see it.
import { z } from "zod"
import { traceLines, traceOf } from "../record/trace.ts"
import { localTime } from "../record/zone.ts"
import { type Answer, defineAnswering, lineOf, said } from "./answer.ts"
import { sightOf, type ToolContext } from "./asker.ts"

const input = z.strictObject({
  turn: z.string().min(1).describe("The id of a turn or of a trace, as incipit_logs shows it."),
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
  const found = context.record.read((database) => traceOf(database, turn, sightOf(context)))
  // One that may not be seen and one that never was look the same.
  if (found === undefined) return said("No such turn.")
  return {
    head: [`started ${localTime(found.at, context.timeZone)}`],
    lines: traceLines(found).map(lineOf),
  }
}
