// `call NAME {json}`: calls any tool with exactly this input, so that custom tools can be tried without a model.
import { ask, type Script, say } from "./script.ts"
import type { OfflineView } from "./view.ts"

/** Returns undefined if the message isn't about a tool, such as "call Bob". */
export function callTool(name: string, json: string, { tools }: OfflineView): Script | undefined {
  if (!tools.has(name)) return json === "" ? undefined : say(noTool(name, [...tools.keys()]))
  const input = objectIn(json)
  if (input === undefined)
    return say(`The input of ${name} must be a JSON object: call ${name} {"key": "value"}.`)
  return ask([{ tool: name, input }])
}

/** An example to type for a tool with these arguments. */
export function callExample(name: string, names: readonly string[]): string {
  const input = names.map((argument) => `"${argument}": ...`).join(", ")
  return input === "" ? `call ${name}` : `call ${name} {${input}}`
}

function noTool(name: string, names: readonly string[]): string {
  return names.length === 0
    ? `There is no tool "${name}" here, and no other one.`
    : `There is no tool "${name}" here. I have: ${names.join(", ")}.`
}

function objectIn(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json === "") return {}
  try {
    // The pattern only matches text in braces, and what JSON reads from it is an object.
    return JSON.parse(json) as Readonly<Record<string, unknown>>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
