// `memory_write`: adds an entry to memory in the caller's name, never above their trust.
import { z } from "zod"
import { bare } from "../../record/ask/log.ts"
import { type Answer, defineAnswering, said } from "../answer.ts"
import type { ToolContext } from "../self/asker.ts"
import { linesText } from "./memory-lines.ts"

/** The author if there is no user, as in a scheduled run. */
const NOBODY = "agent"

const input = z.strictObject({
  text: z.string().min(1).describe("One fact, in words that can be understood without the conversation."),
  store: z
    .string()
    .min(1)
    .optional()
    .describe("The store; the most trusted one of this conversation if absent."),
  path: z.string().min(1).optional().describe("A file of the store, such as people.md; today's if absent."),
})

export const memoryWriteTool = defineAnswering({
  name: "memory_write",
  description:
    "Adds one fact to long-term memory, for other conversations. Refuses what memory already says.",
  input,
  answer: write,
})

function write({ text, store, path }: z.infer<typeof input>, context: ToolContext): Answer {
  const { memory, trust, user, author = user, now, scope } = context
  if (memory === undefined) return said("There is no memory here.")
  const result = memory.write(text, {
    trust,
    by: author ?? NOBODY,
    now: now(),
    ...(store !== undefined && { store }),
    ...(path !== undefined && { path }),
  })
  if (result.status === "refused") {
    scope?.event("memory_write", { level: "warn", data: { refused: result.why } })
    return said(`status=error: not written, ${result.reason}.`)
  }
  const place = `${bare(result.path)}:${linesText(result.lines)}`
  scope?.event("memory_write", { data: { path: result.path, lines: linesText(result.lines) } })
  return said(`status=ok: written to ${place}.`)
}
