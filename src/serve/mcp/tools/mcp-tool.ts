// One tool of the MCP server: its definition, what it answers, and the work. It answers with data alone; the text that a
// model reads is made from them, so that both say the same.
import { IncipitError } from "../../../base/error.ts"
import type { ToolInput } from "../../../tools/tool-input.ts"
import type { McpDefinition } from "../definitions.ts"
import type { McpView } from "../mcp-view.ts"

/** What a tool gets along with its input. */
export interface McpCall {
  readonly view: McpView
  /** What the MCP client calls itself. */
  readonly client: string | undefined
  readonly signal: AbortSignal
  /** Tells how far it is, if the client wants to know. */
  readonly progress: (done: number, total: number) => void
}

/** What a tool found. */
export interface Found {
  readonly data: Readonly<Record<string, unknown>>
  /** The keys of the lists that are shortened if the answer is too long: the last one first, from its end. */
  readonly lists?: readonly string[]
  /** How many items are not in the lists already. */
  readonly left?: number
  /** How to get what was left out. */
  readonly how?: string
}

/** JSON Schema of the answer. */
export type AnswerSchema = Readonly<Record<string, unknown>>

export interface McpTool {
  readonly definition: McpDefinition
  readonly answer: AnswerSchema
  /** Whether this person may use it at all. */
  readonly isFor: (view: McpView) => boolean
  /** The input has been checked against the definition. */
  run(input: unknown, call: McpCall): Promise<Found>
}

/** Attaches the work to a definition, with an input that is typed by its schema. */
export function mcpTool<const D extends McpDefinition>(
  definition: D,
  tool: {
    readonly answer: AnswerSchema
    readonly isFor?: (view: McpView) => boolean
    readonly run: (input: ToolInput<D["parameters"]>, call: McpCall) => Promise<Found>
  },
): McpTool {
  const { answer, isFor = () => true, run } = tool
  return {
    ...{ definition, answer, isFor },
    // Checked against the schema that the type was made from.
    run: (input, call) => run(input as ToolInput<D["parameters"]>, call),
  }
}

/** For a mistake in the input that its schema cannot express. */
export function badInput(text: string): IncipitError {
  return new IncipitError("bad-argument", text)
}
