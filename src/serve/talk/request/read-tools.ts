// The tools that a client brings, and whether the model may call them.
import { checkedClientTools } from "../../../agent/inbox/message/client-tools.ts"
import { IncipitError } from "../../../base/error.ts"
import { isRecord } from "../../../base/is-record.ts"
import type { ClientTool } from "../../../database/contract/client-tools.ts"
import { invalid, unsupported } from "../surface-error.ts"
import type { Body } from "./read-body.ts"

type Part = Readonly<Record<string, unknown>>

/** The function in an item of `tools`, or undefined if it is something else. */
type FunctionIn = (item: Part) => Part | undefined

/** Checked before a session is begun for them. */
export function toolsIn({ tools }: Body, functionIn: FunctionIn): readonly ClientTool[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) throw invalid("tools", "tools must be a list")
  const found = tools.map((item: unknown, at) => toolIn(item, functionIn, `tools[${at}]`))
  try {
    return checkedClientTools(found) ?? []
  } catch (error) {
    if (error instanceof IncipitError)
      throw invalid("tools", error.message.replaceAll("clientTools", "tools"))
    throw error
  }
}

function toolIn(item: unknown, functionIn: FunctionIn, place: string): object {
  const found = isRecord(item) ? functionIn(item) : undefined
  if (found === undefined) throw refused(item, place)
  const { name, description, parameters } = found
  return {
    name,
    description: description ?? "",
    // APIs take a schema without a type for one of an object.
    parameters: isRecord(parameters) ? { type: "object", ...parameters } : { type: "object" },
  }
}

function refused(item: unknown, place: string) {
  const type = JSON.stringify(isRecord(item) ? item.type : item)
  return unsupported(
    place,
    `${place}: tools of the type ${type} are not supported; send functions that the client runs`,
  )
}

/** Whether the client's tools are offered. The agent decides which tools it uses, its own among them. */
export function offersTools({ tool_choice: choice }: Body): boolean {
  const kind = isRecord(choice) ? choice.type : choice
  if (kind === undefined || kind === null || kind === "auto") return true
  if (kind === "none") return false
  throw unsupported("tool_choice", "tool_choice must be auto or none: the agent decides which tools it uses")
}
