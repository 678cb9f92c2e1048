// Checks the tools that a sender brings. Their text goes into the prompt, so it is cleaned like that of a server.
import { IncipitError } from "../../../base/error.ts"
import { isRecord } from "../../../base/is-record.ts"
import type { ClientTool } from "../../../database/contract/client-tools.ts"
import { definitionOf } from "../../mcp/definitions.ts"

/** Some providers accept no more. */
const MOST_TOOLS = 128
const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** Programs pass on what they got over the network, so nothing is taken for granted. Throws `bad-option`. */
export function checkedClientTools(given: unknown): readonly ClientTool[] | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given)) throw bad("clientTools must be a list")
  if (given.length > MOST_TOOLS)
    throw bad(`clientTools has ${given.length} tools; at most ${MOST_TOOLS} are taken`)
  const tools = given.map(checked)
  const twice = tools.find(({ name }, at) => tools.findIndex((one) => one.name === name) !== at)
  if (twice !== undefined) throw bad(`clientTools has two tools named "${twice.name}"`)
  return tools.length === 0 ? undefined : tools
}

function checked(given: unknown, at: number): ClientTool {
  const { name, description = "", parameters = { type: "object" } } = isRecord(given) ? given : {}
  if (typeof name !== "string" || !NAME.test(name))
    throw bad(`tool ${at + 1} of clientTools needs a name of at most 64 letters, digits, - and _`)
  if (typeof description !== "string") throw bad(`the description of the client's tool "${name}" is no text`)
  const looked = definitionOf({ name, description, inputSchema: parameters })
  if ("problem" in looked) throw bad(`the client's tool "${name}" ${looked.problem}`)
  return { name, description: looked.definition.description, parameters: looked.definition.parameters }
}

function bad(why: string): IncipitError {
  return new IncipitError("bad-option", why)
}
