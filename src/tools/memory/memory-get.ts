// `memory_get`: a part of a memory file, line by line, with the token count of the rest. A forbidden file and a missing
// one give the same answer.
import { z } from "zod"
import { authoredLine } from "../../core/view/authorship.ts"
import { bare } from "../../record/ask/log.ts"
import { type Answer, defineAnswering, said } from "../answer.ts"
import type { ToolContext } from "../self/asker.ts"
import { markedLines, oneThing } from "./memory-lines.ts"

const input = z.strictObject({
  path: z.string().min(1).describe("As memory_search shows it, such as shared/people.md."),
  from: z.int().min(1).optional().describe("The first line; 1 if absent."),
  lines: z.int().min(1).max(2_000).optional().describe("How many lines; 120 if absent."),
})

export const memoryGetTool = defineAnswering({
  name: "memory_get",
  isReadOnly: true,
  description:
    "Reads a part of a file of long-term memory, each line with its number, and the price of the rest.",
  input,
  answer: get,
})

function get({ path, from, lines }: z.infer<typeof input>, context: ToolContext): Answer {
  const { memory, trust, counter } = context
  if (memory === undefined) return said("There is no memory here.")
  const found = memory.get(path, {
    trust,
    ...(from !== undefined && { from }),
    ...(lines !== undefined && { lines }),
  })
  if (found.status !== "ok") return said(`status=error: ${found.reason}.`)
  const [first, last] = found.lines
  if (last < first) return said(`status=empty: ${bare(path)} has no line ${first}.`)
  return {
    head: [`status=ok ${bare(path)} tokens=${found.tokens}`],
    lines: found.text.split("\n").flatMap((line, at) => {
      const number = first + at
      const texts = markedLines(authoredLine(line), { first: `${number}: `, next: `${number}+ ` })
      return oneThing(texts, counter.count(`${line}\n`))
    }),
    more: found.rest?.lines ?? 0,
    moreTokens: found.rest?.tokens ?? 0,
    narrow: "ask with a later `from`",
  }
}
