// Reads messages of OpenAI's Chat Completions API: `completion.choices[0].message`, or the history that a request
// takes. Images, audio, refusals and custom calls come back unchanged from `renderChat`.
import type { Message, MessagePart } from "../../core/model/message.ts"
import { readable } from "../formats/native.ts"
import {
  callOf,
  checkType,
  createCollector,
  type Fields,
  fieldParts,
  fieldsOf,
  isFields,
  kept,
  listOf,
  nativePart,
  type Reader,
  refuse,
  restOf,
  textOf,
  unmarked,
} from "./shape.ts"

/** `completion.choices[0].message`, or a message of the history. */
export interface ChatHistoryMessage {
  readonly role: string
  // Fields that a test or a program writes by hand. The SDK's own messages may have any others.
  readonly content?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly name?: unknown
}

const READER: Reader = {
  format: "chat",
  name: "fromChat",
  takes: "`completion.choices[0].message`, or a list of messages with `role`",
}

/** Reads what OpenAI's SDK returned (`completion.choices[0].message`), or the messages that it takes, as our messages. */
export function fromChat(given: ChatHistoryMessage | readonly ChatHistoryMessage[]): readonly Message[] {
  const list = isFields(given) ? [given] : listOf(READER, given, "the value")
  const { messages, message, results, user } = createCollector()
  for (const [at, item] of list.entries()) {
    const where = `messages[${at}]`
    const fields = fieldsOf(READER, item, where)
    if (fields.role === "assistant") message("assistant", readAnswer(fields, where))
    else if (fields.role === "tool") results([readResult(fields, where)])
    else if (fields.role === "user") user(readUser(fields, where))
    // Instructions are the host's. They keep their place and their words. So do results of the old function calls.
    else if (fields.role === "system" || fields.role === "developer" || fields.role === "function")
      message("user", [nativePart("chat", fields)])
    else refuse(READER, `${where}.role`, `is ${JSON.stringify(fields.role)}`)
  }
  return messages
}

function readUser(fields: Fields, where: string): readonly MessagePart[] {
  return [
    ...fieldParts("chat", restOf(fields, ["role", "content"])),
    ...readContent(fields.content, `${where}.content`),
  ]
}

/** Calls follow the text, since they are in a field beside it. */
function readAnswer(fields: Fields, where: string): readonly MessagePart[] {
  const { content, refusal, tool_calls } = fields
  const calls = tool_calls ?? []
  return [
    ...fieldParts("chat", restOf(fields, ["role", "content", "refusal", "tool_calls"])),
    ...(content === undefined || content === null ? [] : readContent(content, `${where}.content`)),
    ...(typeof refusal === "string" ? [refused(refusal, { field: "refusal" })] : []),
    ...listOf(READER, calls, `${where}.tool_calls`).map((call, at) =>
      readCall(call, `${where}.tool_calls[${at}]`),
    ),
  ]
}

function readContent(content: unknown, where: string): readonly MessagePart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }]
  return listOf(READER, content, where).map((item, at) => readBlock(item, `${where}[${at}]`))
}

function readBlock(item: unknown, where: string): MessagePart {
  const block = fieldsOf(READER, item, where)
  const type = checkType(READER, block.type, where)
  if (type === "refusal")
    return refused(textOf(READER, block.refusal, `${where}.refusal`), { field: "content" })
  if (type !== "text") return nativePart("chat", block)
  const text = textOf(READER, block.text, `${where}.text`)
  return { kind: "text", text, ...kept("chat", restOf(block, ["type", "text"])) }
}

/** A refusal is what the model said, so other providers get it as text. */
function refused(text: string, where: { readonly field: "refusal" | "content" }): MessagePart {
  return { kind: "text", text, native: { format: "chat", value: { refusal: where.field } } }
}

function readCall(item: unknown, where: string): MessagePart {
  const call = fieldsOf(READER, item, where)
  const id = textOf(READER, call.id, `${where}.id`)
  if (call.type === "custom") {
    const custom = fieldsOf(READER, call.custom, `${where}.custom`)
    return {
      kind: "tool-call",
      ...{ id, name: textOf(READER, custom.name, `${where}.custom.name`) },
      input: textOf(READER, custom.input, `${where}.custom.input`),
      native: { format: "chat", value: restOf(call, ["id", "custom"]) },
    }
  }
  const made = fieldsOf(READER, call.function, `${where}.function`)
  return callOf("chat", {
    ...{ id, name: textOf(READER, made.name, `${where}.function.name`) },
    text: textOf(READER, made.arguments, `${where}.function.arguments`),
    rest: restOf(call, ["id", "type", "function"]),
  })
}

function readResult(fields: Fields, where: string): MessagePart {
  const id = textOf(READER, fields.tool_call_id, `${where}.tool_call_id`)
  const rest = restOf(fields, ["role", "tool_call_id", "content"])
  if (typeof fields.content === "string")
    return { kind: "tool-result", id, text: fields.content, ...kept("chat", rest) }
  const content = listOf(READER, fields.content, `${where}.content`).map((item, at) =>
    unmarked(fieldsOf(READER, item, `${where}.content[${at}]`)),
  )
  // One block of text is the same as its text. Any other list is kept beside what it says.
  const isPlain = content.length <= 1 && content.every(({ type }) => type === "text")
  return {
    kind: "tool-result",
    ...{ id, text: readable(content) },
    ...kept("chat", isPlain ? rest : { ...rest, content }),
  }
}
