// How an acting tool is made: its input is checked, it needs a running agent, and the model is told what went wrong.
// Its definition is prompt text and belongs to the profile; a test keeps the two in step.
import { z } from "zod"
import { invalidInput } from "./answer.ts"
import { ToolFailure, type ToolHost } from "./host.ts"
import type { ToolContext } from "./self/asker.ts"

/** What a tool needs to act: a running agent. */
export type ActionContext = ToolContext & { readonly host: ToolHost }

/** What a tool does, separate from its definition. */
export interface Action {
  readonly name: string
  /** Running it twice has the same effect as running it once, so it may be repeated after a crash. */
  readonly isRepeatable: boolean
  /** It changes nothing, so it may run in plan mode. */
  readonly isReadOnly: boolean
  readonly parameters: Readonly<Record<string, unknown>>
  /** Throws `ToolFailure` for a model's mistakes and for failures of the world that the model should know about. */
  run(input: unknown, context: ToolContext): Promise<string>
}

export interface ActionSpec<Input> {
  readonly name: string
  readonly isRepeatable?: boolean
  readonly isReadOnly?: boolean
  readonly input: z.ZodType<Input>
  readonly run: (input: Input, context: ActionContext) => string | Promise<string>
}

export function defineAction<Input>(spec: ActionSpec<Input>): Action {
  const { name, isRepeatable = false, isReadOnly = false, input, run } = spec
  return {
    name,
    isRepeatable,
    isReadOnly,
    // Built on demand: nothing needs it when a program starts.
    get parameters() {
      const { $schema, ...parameters } = z.toJSONSchema(input)
      return parameters
    },
    async run(given, context) {
      const parsed = input.safeParse(given ?? {})
      if (!parsed.success) throw new ToolFailure(invalidInput(parsed.error))
      const { host } = context
      if (host === undefined) throw new ToolFailure("This needs a running agent.")
      return run(parsed.data, { ...context, host })
    },
  }
}
