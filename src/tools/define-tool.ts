// The one way to define a tool: its definition is data, and `run` is attached to it. The input is checked before `run`
// gets it, and its type follows from the definition.
import { z } from "zod"
import { IncipitError } from "../base/error.ts"
import { misspelled } from "../base/nearest.ts"
import type { Tool } from "../core/model/inputs.ts"
import { ToolFailure } from "./host.ts"
import type { ToolContext } from "./tool-context.ts"
import type { ToolInput } from "./tool-input.ts"

/** A tool that can be run. Throws `ToolFailure` for a model's mistakes: its message is for the model. */
export interface RunnableTool extends Tool {
  /**
   * Whether a running agent asks before it runs the tool: always, or for every input for which this does not return
   * false. If nobody can be asked, the tool is not run.
   */
  readonly approve?: boolean | ((input: unknown) => boolean)
  /**
   * Whether `run` itself asks the host, once, before it does anything. If the process ends while it waits for the answer,
   * the call is made again, and asks again.
   */
  readonly asksFirst?: boolean
  run(input: unknown, context: ToolContext): Promise<string>
}

/** What a tool does when it is called. `run` may throw `ToolFailure`: its message goes to the model verbatim. */
export type Run<Input> = (input: Input, context: ToolContext) => string | Promise<string>

/** A schema of Zod 4, made by the copy of Zod that the program has installed. `Input` is what it returns. */
export interface InputSchema<Input> {
  readonly _zod: { readonly output: Input }
}

/** A custom tool: its schema is what the model reads, the check, and the type that `run` gets. */
export interface ToolDefinition<Input> extends Omit<Tool, "parameters"> {
  readonly input: InputSchema<Input>
  /** Asks before `run`: always, or for every valid input for which this does not return false. */
  readonly approve?: boolean | ((input: Input) => boolean)
  readonly run: Run<Input>
}

/** A tool whose parameters are JSON Schema, as in the definitions of `src/profiles/incipit/tools.ts`. */
interface SchemaDefinition<S extends Tool["parameters"]> extends Omit<Tool, "parameters"> {
  readonly parameters: S
  readonly approve?: boolean | ((input: ToolInput<S>) => boolean)
  readonly asksFirst?: boolean
  readonly run: Run<ToolInput<S>>
}

/** Attaches a function to a tool's definition, with an input that is typed by its schema. */
export function defineTool<const S extends Tool["parameters"]>(tool: SchemaDefinition<S>): RunnableTool
export function defineTool<Input>(tool: ToolDefinition<Input>): RunnableTool
export function defineTool({ run, approve, ...tool }: AnyDefinition): RunnableTool {
  const { input, parameters, ...facts } = tool
  checkDefinition({ ...tool, run })
  if (input === undefined) {
    const schema = parameters ?? { type: "object", properties: {} }
    return { ...facts, parameters: schema, ...checked(() => z.fromJSONSchema(schema), run, approve) }
  }
  // Checked above. Schemas of another copy of Zod 4 have the same methods.
  const schema = input as z.ZodType
  const { $schema, ...readable } = z.toJSONSchema(schema, { io: "input" })
  return { ...facts, parameters: readable, ...checked(() => schema, run, approve) }
}

const FIELDS = ["approve", "asksFirst", "isReadOnly", "isRepeatable", "trust", "parameters", "input", "run"]

/** In JavaScript, a misspelled `approve` would run the tool without asking. */
function checkDefinition({ name, input, run, ...rest }: AnyDefinition): void {
  const tool = `the tool "${name}"`
  if (typeof run !== "function") throw new IncipitError("bad-tool", `${tool} has no function \`run\``)
  if (input !== undefined && !("_zod" in input))
    throw new IncipitError(
      "bad-tool",
      `the input of ${tool} isn't a schema of Zod 4; a JSON Schema goes into parameters`,
    )
  for (const key of Object.keys(rest).filter((one) => !FIELDS.includes(one))) {
    const meant = misspelled(key, FIELDS)
    if (meant !== undefined)
      throw new IncipitError("bad-tool", `${tool} has an unknown field "${key}"; did you mean ${meant}?`)
  }
}

/** Either kind of definition; the overloads tie the type of `run` to it. */
interface AnyDefinition extends Omit<Tool, "parameters"> {
  readonly parameters?: Tool["parameters"]
  readonly input?: InputSchema<unknown>
  readonly approve?: boolean | ((input: never) => boolean)
  readonly asksFirst?: boolean
  readonly run: Run<never>
}

/** The schema is made with the first call: nothing needs it when a program starts. */
function checked(
  makeSchema: () => z.ZodType,
  run: Run<never>,
  approve: AnyDefinition["approve"],
): Pick<RunnableTool, "run" | "approve"> {
  let schema: z.ZodType | undefined
  const parse = (given: unknown) => {
    schema ??= makeSchema()
    return schema.safeParse(given ?? {})
  }
  return {
    ...(approve !== undefined && { approve: asksFor(parse, approve) }),
    async run(given, context) {
      const parsed = parse(given)
      if (!parsed.success) throw new ToolFailure(invalidInput(parsed.error))
      // The type of `run` and the schema come from the same definition.
      return run(parsed.data as never, context)
    },
  }
}

/** Nobody is asked about an input that `run` refuses anyway. */
function asksFor(
  parse: (given: unknown) => z.ZodSafeParseResult<unknown>,
  approve: NonNullable<AnyDefinition["approve"]>,
): NonNullable<RunnableTool["approve"]> {
  if (typeof approve !== "function") return approve === false ? false : (given) => parse(given).success
  // Typed by the same definition as the schema.
  return (given) => {
    const parsed = parse(given)
    return parsed.success && approve(parsed.data as never) !== false
  }
}

/** What is wrong with a tool's input, in a sentence for the model. */
function invalidInput({ issues }: z.ZodError): string {
  const problems = issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`)
  return `The input is not valid: ${problems.join("; ")}.`
}
