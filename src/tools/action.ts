// How a tool that acts is made: its input is checked, it needs a running agent, and what goes wrong is told to the
// model. Its definition, which is text of the prompt, is the profile's; a test holds the two together.
import { z } from "zod"
import { invalidInput } from "./answer.ts"
import { ToolFailure, type ToolHost } from "./host.ts"
import type { ToolContext } from "./self/asker.ts"

/** What a tool needs to act: the agent that runs is there. */
export type ActionContext = ToolContext & { readonly host: ToolHost }

/** The doing of a tool, apart from its definition. */
export interface Action {
  readonly name: string
  /** Running it twice does no more than running it once, so that after a crash it may be run again. */
  readonly isRepeatable: boolean
  /** It changes nothing, so that it may run in plan mode. */
  readonly isReadOnly: boolean
  readonly parameters: Readonly<Record<string, unknown>>
  /** Throws `ToolFailure` for what the model may do wrong and for failures of the world that it should know. */
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
    // Made when it is asked for, which nobody does at the start of a program.
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
