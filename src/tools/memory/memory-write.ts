// `memory_write`: adds an entry to memory in the caller's name, never above their trust.
import { MEMORY_WRITE } from "../../profiles/incipit/tools/memory.ts"
import { bare } from "../../record/ask/log.ts"
import { type Answer, answered, sentenceAnswer } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import type { ToolContext } from "../tool-context.ts"
import type { ToolInput } from "../tool-input.ts"
import { linesText } from "./memory-lines.ts"

/** The author if there is no user, as in a scheduled run. */
const NOBODY = "agent"

export const memoryWriteTool = defineTool({
  ...MEMORY_WRITE,
  run: (input, context) => answered(MEMORY_WRITE.name, context, () => write(input, context)),
})

async function write(
  { text, store, path }: ToolInput<typeof MEMORY_WRITE.parameters>,
  context: ToolContext,
): Promise<Answer> {
  const { memory, trust, user, author = user, now, scope } = context
  if (memory === undefined) return sentenceAnswer("There is no memory here.")
  const result = await memory.write(text, {
    trust,
    by: author ?? NOBODY,
    now: now(),
    ...(store !== undefined && { store }),
    ...(path !== undefined && { path }),
  })
  if (result.status === "refused") {
    scope?.event("memory_write", { level: "warn", data: { refused: result.why } })
    return sentenceAnswer(`status=error: not written, ${result.reason}.`)
  }
  const place = `${bare(result.path)}:${linesText(result.lines)}`
  scope?.event("memory_write", { data: { path: result.path, lines: linesText(result.lines) } })
  return sentenceAnswer(`status=ok: written to ${place}.`)
}
