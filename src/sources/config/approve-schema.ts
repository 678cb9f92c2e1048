// `approve:` in incipit.yaml: which commands and other actions of tools are allowed, asked about or denied by pattern.
import { z } from "zod"
import { isCommandPattern } from "../../base/text/command-pattern.ts"
import { globOf } from "../../base/text/glob.ts"

const glob = z
  .string()
  .min(1)
  .refine((text) => globOf(text) !== undefined, "is too complicated for a pattern")
const MOST_RULES = 200

const other = z
  .object({
    edit: glob.optional().describe("files that are written, such as docs/**"),
    mcp: glob.optional().describe("tools of MCP servers, such as tides/*"),
    tool: glob.optional().describe("custom tools by name"),
  })
  .refine((rule) => Object.keys(rule).length === 1, "needs exactly one of edit, mcp and tool")

const command = z
  .string()
  .refine(
    isCommandPattern,
    "is not a command pattern such as `npm test *`: plain words, of which the first has no *, and no quotes or other syntax of the shell",
  )

const rules = z.array(z.union([command, other])).max(MOST_RULES, `has more than ${MOST_RULES} rules`)

export const approveSchema = z.object({
  allow: rules.optional().describe("runs without a question, once you approve these rules"),
  ask: rules.optional().describe("always asks, also if it is allowed elsewhere"),
  deny: rules.optional().describe("is refused without a question, also if it is allowed elsewhere"),
})

/** A command as text, or another action by its kind. */
export type ApproveRule = z.infer<typeof command> | z.infer<typeof other>
