// Reads an answer of Amazon Bedrock's Converse API. Reasoning is kept but not sent back: `renderBedrock` has no place for
// its signature.
import { IncipitError } from "../base/error.ts"
import type { Message, MessagePart } from "../core/model/message.ts"

/** `response.output.message`. */
export interface ConverseMessage {
  readonly role?: string | undefined
  readonly content: readonly object[] | undefined
}

export function fromConverse({ content }: ConverseMessage): readonly Message[] {
  if (!Array.isArray(content)) throw refused("the value has no list `content`")
  const parts = content.map(partOf)
  return parts.length === 0 ? [] : [{ role: "assistant", parts }]
}

type Fields = Readonly<Record<string, unknown>>

function partOf(block: unknown, at: number): MessagePart {
  const { text, toolUse, reasoningContent } = fieldsOf(block)
  if (typeof text === "string") return { kind: "text", text }
  const { toolUseId: id, name, input } = fieldsOf(toolUse)
  if (typeof id === "string" && typeof name === "string") return { kind: "tool-call", id, name, input }
  const { reasoningText } = fieldsOf(reasoningContent)
  if (reasoningContent !== undefined) {
    const { text: thought } = fieldsOf(reasoningText)
    return { kind: "reasoning", text: typeof thought === "string" ? thought : "" }
  }
  throw refused(
    `content[${at}] has ${Object.keys(fieldsOf(block)).join(", ")}; text, toolUse and reasoningContent are read`,
  )
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

function refused(problem: string): IncipitError {
  return new IncipitError("bad-sdk-messages", `fromConverse: ${problem}.`)
}
