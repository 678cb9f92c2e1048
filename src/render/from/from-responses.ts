// Reads items of OpenAI's Responses API: `response.output`, or the `input` of a request. Reasoning, ids, annotations,
// images, files and the provider's own tools come back unchanged from `renderResponses`.
import type { Message, MessagePart, ProviderData } from "../../core/model/message.ts"
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
  own,
  type Reader,
  refuse,
  restOf,
  textOf,
  unmarked,
} from "./shape.ts"

/** An item of `response.output`, or of `input`. */
export interface ResponsesHistoryItem {
  readonly type?: string | null | undefined
  readonly role?: string | undefined
  // Fields that a test or a program writes by hand. The SDK's own items may have any others.
  readonly id?: unknown
  readonly status?: unknown
  readonly content?: unknown
  readonly call_id?: unknown
  readonly name?: unknown
  readonly arguments?: unknown
  readonly output?: unknown
  readonly summary?: unknown
  readonly encrypted_content?: unknown
}

const READER: Reader = {
  format: "responses",
  name: "fromResponses",
  takes: "`response.output`, or the `input` of a request",
}

/** Reads what OpenAI's SDK returned (`response.output`), or the `input` that it takes, as our messages. */
export function fromResponses(given: string | readonly ResponsesHistoryItem[]): readonly Message[] {
  const { messages, message, answer, results, user } = createCollector()
  if (typeof given === "string") user([{ kind: "text", text: given }])
  const list = typeof given === "string" ? [] : listOf(READER, given, "the value")
  for (const [at, value] of list.entries()) {
    const where = `items[${at}]`
    const item = fieldsOf(READER, value, where)
    const type = typeOf(item, where)
    const read = own(OWN_MODEL_ITEMS, type)
    if (type === "message" && item.role === "assistant") answer(readAnswer(item, where))
    else if (type === "message" && item.role === "user") user(readUser(item, where))
    else if (RESULTS.includes(type) && typeof item.call_id === "string") results([readResult(item, where)])
    else if (read !== undefined) answer(read(item, where))
    // Instructions are the host's, and so are results of the provider's own tools that run on its side.
    else if (type === "message" || HOST_ITEMS.includes(type)) message("user", [nativePart("responses", item)])
    else answer([nativePart("responses", item)])
  }
  return messages
}

const ROLES = ["user", "assistant", "system", "developer"]

/** A message needs no type. */
function typeOf(item: Fields, where: string): string {
  const { type, role } = item
  if (role === undefined && (type === undefined || type === null)) {
    if (typeof item.id === "string") return "item_reference"
    refuse(READER, where, "has neither a type nor a role")
  }
  if (type !== undefined && type !== null && type !== "message") return checkType(READER, type, where)
  if (!ROLES.includes(String(role))) refuse(READER, `${where}.role`, `is ${JSON.stringify(role)}`)
  if ("tool_calls" in item) refuse(READER, where, "has tool_calls, which fromChat reads")
  return "message"
}

const RESULTS = ["function_call_output", "custom_tool_call_output"]

/** An output without a call's id answers no call that we know. */
const HOST_ITEMS = [
  ...RESULTS,
  "computer_call_output",
  "local_shell_call_output",
  "shell_call_output",
  "apply_patch_call_output",
  "mcp_approval_response",
]

const OWN_MODEL_ITEMS: Readonly<Record<string, (item: Fields, where: string) => readonly MessagePart[]>> = {
  reasoning: readReasoning,
  function_call: (item, where) => [
    {
      ...callOf("responses", {
        ...callNames(item, where),
        text: textOf(READER, item.arguments, `${where}.arguments`),
        rest: restOf(item, ["type", "call_id", "name", "arguments", "id"]),
      }),
      ...idData(item),
    },
  ],
  custom_tool_call: (item, where) => [
    {
      kind: "tool-call",
      ...callNames(item, where),
      input: textOf(READER, item.input, `${where}.input`),
      native: { format: "responses", value: restOf(item, ["call_id", "name", "input", "id"]) },
      ...idData(item),
    },
  ],
}

function callNames(item: Fields, where: string): { readonly id: string; readonly name: string } {
  return {
    id: textOf(READER, item.call_id, `${where}.call_id`),
    name: textOf(READER, item.name, `${where}.name`),
  }
}

/** The item's id, where the AI SDK has it too. */
function idData({ id }: Fields): { readonly data?: ProviderData } {
  return typeof id === "string" ? { data: { openai: { itemId: id } } } : {}
}

function readUser(item: Fields, where: string): readonly MessagePart[] {
  const fields = fieldParts("responses", restOf(item, ["type", "role", "content"]))
  if (typeof item.content === "string") return [...fields, { kind: "text", text: item.content }]
  const blocks = listOf(READER, item.content, `${where}.content`)
  return [
    ...fields,
    ...blocks.map((value, at): MessagePart => {
      const block = fieldsOf(READER, value, `${where}.content[${at}]`)
      const type = checkType(READER, block.type, `${where}.content[${at}]`)
      if (type !== "input_text") return nativePart("responses", block)
      const text = textOf(READER, block.text, `${where}.content[${at}].text`)
      return { kind: "text", text, ...kept("responses", restOf(block, ["type", "text"])) }
    }),
  ]
}

/** Text that was sent as a plain string needs no fields. A message of the model has an id, a status and blocks. */
function readAnswer(item: Fields, where: string): readonly MessagePart[] {
  if (typeof item.content === "string") {
    const message = restOf(item, ["type", "role", "content"])
    const native = Object.keys(message).length === 0 ? {} : kept("responses", { message })
    return [{ kind: "text", text: item.content, ...native }]
  }
  const message = restOf(item, ["type", "role", "content", "id"])
  const blocks = listOf(READER, item.content, `${where}.content`).map((value, at) =>
    fieldsOf(READER, value, `${where}.content[${at}]`),
  )
  const isWords =
    blocks.length > 0 && blocks.every(({ type }) => type === "output_text" || type === "refusal")
  if (!isWords) return [nativePart("responses", item)]
  return blocks.map((block, at): MessagePart => {
    const field = block.type === "refusal" ? "refusal" : "text"
    return {
      kind: "text",
      text: textOf(READER, block[field], `${where}.content[${at}].${field}`),
      native: {
        format: "responses",
        value: { message, at, block: restOf(block, block.type === "refusal" ? ["refusal"] : ["text"]) },
      },
      ...idData(item),
    }
  })
}

/** One part for each summary, as the AI SDK has it: all with the item's id, the first with the rest. */
function readReasoning(item: Fields, where: string): readonly MessagePart[] {
  const summary = listOf(READER, item.summary, `${where}.summary`)
  const texts = summary.map((value, at) =>
    textOf(READER, isFields(value) ? value.text : undefined, `${where}.summary[${at}].text`),
  )
  const { id, encrypted_content } = item
  const ids = typeof id === "string" ? { itemId: id } : {}
  const encrypted =
    typeof encrypted_content === "string" ? { reasoningEncryptedContent: encrypted_content } : {}
  const rest = restOf(item, ["type", "id", "summary", "encrypted_content"])
  return (texts.length === 0 ? [""] : texts).map((text, at) => ({
    kind: "reasoning",
    text,
    data: { openai: at === 0 ? { ...ids, ...encrypted } : ids },
    ...(at === 0 && kept("responses", rest)),
  }))
}

function readResult(item: Fields, where: string): MessagePart {
  const id = textOf(READER, item.call_id, `${where}.call_id`)
  const type = item.type === "function_call_output" ? {} : { type: item.type }
  const rest = { ...type, ...restOf(item, ["type", "call_id", "output"]) }
  if (typeof item.output === "string")
    return { kind: "tool-result", id, text: item.output, ...kept("responses", rest) }
  const output = listOf(READER, item.output, `${where}.output`).map((value, at) =>
    unmarked(fieldsOf(READER, value, `${where}.output[${at}]`)),
  )
  // One block of text is the same as its text. Any other list is kept beside what it says.
  const isPlain = output.length <= 1 && output.every(({ type: block }) => block === "input_text")
  return {
    kind: "tool-result",
    ...{ id, text: readable(output) },
    ...kept("responses", isPlain ? rest : { ...rest, output }),
  }
}
