// `memory_get`: a part of a memory file, line by line, with the token count of the rest. A forbidden file and a missing
// one give the same answer.
import { authoredLine } from "../../core/view/authorship.ts"
import { MEMORY_GET } from "../../profiles/incipit/tools/memory.ts"
import { bare } from "../../record/ask/log.ts"
import { type Answer, answered, sentenceAnswer } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import type { ToolContext } from "../tool-context.ts"
import type { ToolInput } from "../tool-input.ts"
import { markedLines, oneThing } from "./memory-lines.ts"

export const memoryGetTool = defineTool({
  ...MEMORY_GET,
  run: (input, context) => answered(MEMORY_GET.name, context, () => get(input, context)),
})

async function get(
  { path, from, lines }: ToolInput<typeof MEMORY_GET.parameters>,
  context: ToolContext,
): Promise<Answer> {
  const { memory, trust, counter } = context
  if (memory === undefined) return sentenceAnswer("There is no memory here.")
  await memory.catchUp?.({ trust })
  const found = memory.get(path, {
    trust,
    ...(from !== undefined && { from }),
    ...(lines !== undefined && { lines }),
  })
  if (found.status !== "ok") return sentenceAnswer(`status=error: ${found.reason}.`)
  const [first, last] = found.lines
  if (last < first) return sentenceAnswer(`status=empty: ${bare(path)} has no line ${first}.`)
  return {
    head: [`status=ok ${bare(path)} tokens=${found.tokens}`],
    lines: found.text.split("\n").flatMap((line, at) => {
      const number = first + at
      const texts = markedLines(authoredLine(line), { first: `${number}: `, next: `${number}+ ` })
      return oneThing(texts, counter.count(`${line}\n`))
    }),
    more: found.rest?.lines ?? 0,
    moreTokens: found.rest?.tokens ?? 0,
    narrow: "continue with a later `from`",
  }
}
