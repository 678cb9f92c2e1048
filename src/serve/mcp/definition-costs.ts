// What the definitions of our own tools cost: they are part of every call of the client that lists them.
import { o200k } from "../../tokens/o200k.ts"
import { DEFINITIONS, INSTRUCTIONS } from "./definitions.ts"

export interface DefinitionCosts {
  readonly counter: string
  readonly tools: readonly { readonly name: string; readonly tokens: number }[]
  readonly instructions: number
  readonly total: number
}

/** As most clients pass them to a model: name, description and parameters. */
export function definitionCosts(): DefinitionCosts {
  const tools = DEFINITIONS.map(({ name, description, parameters }) => ({
    name,
    tokens: o200k.count(JSON.stringify({ name, description, input_schema: parameters })),
  }))
  const instructions = o200k.count(INSTRUCTIONS)
  const total = tools.reduce((sum, { tokens }) => sum + tokens, instructions)
  return { counter: o200k.name, tools, instructions, total }
}
