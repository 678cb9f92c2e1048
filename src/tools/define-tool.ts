// Defines a custom tool with checked input: one schema is what the model reads, the check, and the type that `run`
// gets. Only the work itself is left to write.
import { z } from "zod"
import type { Tool } from "../core/model/scope.ts"
import { invalidInput, type RunnableTool } from "./answer.ts"
import { ToolFailure } from "./host.ts"
import type { ToolContext } from "./self/asker.ts"

/** `run` may throw `ToolFailure`: its message goes to the model verbatim. */
export interface ToolDefinition<Input> extends Omit<Tool, "parameters"> {
  readonly input: z.ZodType<Input>
  /** It changes nothing, so it may run in plan mode. */
  readonly isReadOnly?: boolean
  readonly run: (input: Input, context: ToolContext) => string | Promise<string>
}

export function defineTool<Input>({ input, run, ...tool }: ToolDefinition<Input>): RunnableTool {
  const { $schema, ...parameters } = z.toJSONSchema(input, { io: "input" })
  return {
    ...tool,
    parameters,
    async run(given, context) {
      const parsed = input.safeParse(given ?? {})
      if (!parsed.success) throw new ToolFailure(invalidInput(parsed.error))
      return run(parsed.data, context)
    },
  }
}
