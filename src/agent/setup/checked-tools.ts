// Checks the tools that a program passes in before anything is opened: reports what a provider would refuse with every
// request, and what a slip would open to everybody.
import { IncipitError } from "../../base/error.ts"
import { isTrust, TRUSTS } from "../../base/trust.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"

/** Accepted by every provider. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/

export function checkTools(tools: readonly RunnableTool[]): void {
  for (const [at, tool] of tools.entries()) {
    const problem = problemOf(tool)
    if (problem === undefined) continue
    throw new IncipitError("bad-tool", `tool ${at + 1} of the program, "${tool.name}": ${problem}`)
  }
}

/** Programs need not be type-checked. */
function problemOf({
  name,
  description,
  parameters,
  trust,
  isReadOnly,
  isRepeatable,
  approve,
  asksFirst,
  run,
}: RunnableTool): string | undefined {
  if (typeof name !== "string" || !NAME.test(name))
    return "a name has 1 to 64 characters: letters a to z, digits, _ and -"
  if (typeof description !== "string") return "it has no description"
  if (parameters?.type !== "object") return 'its parameters are not a JSON Schema with type "object"'
  if (trust !== undefined && !isTrust(trust)) return `its trust "${trust}" is not one of ${TRUSTS.join(", ")}`
  if (isReadOnly !== undefined && typeof isReadOnly !== "boolean")
    return "its isReadOnly must be true or false"
  if (isRepeatable !== undefined && typeof isRepeatable !== "boolean")
    return "its isRepeatable is not true or false"
  if (approve !== undefined && typeof approve !== "boolean" && typeof approve !== "function")
    return "its approve is not true, false or a function"
  if (asksFirst !== undefined && typeof asksFirst !== "boolean") return "its asksFirst is not true or false"
  return typeof run === "function" ? undefined : "it has no function `run`"
}
