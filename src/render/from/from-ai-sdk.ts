// Reads messages of the AI SDK: `result.response.messages`, or the `messages` that its functions take. Provider
// options, files, sources, approvals and calls that the provider runs come back unchanged from `renderAiSdk`.
import type { Message, MessagePart, ProviderData } from "../../core/model/message.ts"
import { readable } from "../formats/native.ts"
import {
  checkType,
  copyOf,
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

/** A message of `result.response.messages`, or of the history. */
export interface AiSdkHistoryMessage {
  readonly role: string
  readonly content: string | readonly object[]
}

const READER: Reader = {
  format: "ai-sdk",
  name: "fromAiSdk",
  takes: "`result.response.messages`, or a list of messages with `role` and `content`",
}

/** Reads what the AI SDK returned (`result.response.messages`), or the messages that it takes, as our messages. */
export function fromAiSdk(given: AiSdkHistoryMessage | readonly AiSdkHistoryMessage[]): readonly Message[] {
  const list = isFields(given) ? [given] : listOf(READER, given, "the value")
  const { messages, message, results, user } = createCollector()
  for (const [at, item] of list.entries()) {
    const where = `messages[${at}]`
    const fields = fieldsOf(READER, item, where)
    const calls = messages.findLast(({ role }) => role === "assistant")
    if (fields.role === "assistant") message("assistant", readContent(fields, where))
    else if (fields.role === "user") user(readContent(fields, where))
    else if (fields.role === "tool") results(readResults(fields, calls, where), "apart")
    // Instructions are the host's. They keep their place and their words.
    else if (fields.role === "system") message("user", [nativePart("ai-sdk", withoutMarks(fields))])
    else refuse(READER, `${where}.role`, `is ${JSON.stringify(fields.role)}`)
  }
  return messages
}

function messageFields(fields: Fields): readonly MessagePart[] {
  const { data } = optionsOf(fields)
  const rest = restOf(fields, ["role", "content", "providerOptions"])
  return fieldParts("ai-sdk", { ...rest, ...(data && { providerOptions: data }) })
}

function readContent(fields: Fields, where: string): readonly MessagePart[] {
  const { content } = fields
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content
  return [
    ...messageFields(fields),
    ...listOf(READER, blocks, `${where}.content`).map((item, at) => {
      const block = fieldsOf(READER, item, `${where}.content[${at}]`)
      const type = checkType(READER, block.type, `${where}.content[${at}]`)
      return (
        own(BLOCKS, type)?.(block, `${where}.content[${at}]`) ?? nativePart("ai-sdk", withoutMarks(block))
      )
    }),
  ]
}

/** Returns undefined for a block that is kept as it is. */
const BLOCKS: Readonly<Record<string, (block: Fields, where: string) => MessagePart | undefined>> = {
  text(block, where) {
    const text = textOf(READER, block.text, `${where}.text`)
    const { data } = optionsOf(block)
    // A signature may come with no text. It must go back all the same.
    if (text.trim() === "" && data !== undefined) return undefined
    return { kind: "text", text, ...(data && { data }) }
  },
  reasoning(block, where) {
    const text = textOf(READER, block.text, `${where}.text`)
    // Without options, it has to say whose thought it is: some providers of the SDK take it back as text.
    const whose =
      block.providerOptions === undefined ? { native: { format: "ai-sdk", value: {} } as const } : {}
    return { kind: "reasoning", text, ...optionsOf(block), ...whose }
  },
  "tool-call"(block, where) {
    // The provider runs such a call and has its result, so the host must not answer it.
    if (block.providerExecuted === true) return undefined
    const input = copyOf(block.input)
    const isRead = input === undefined || isFields(input)
    return {
      kind: "tool-call",
      id: textOf(READER, block.toolCallId, `${where}.toolCallId`),
      name: textOf(READER, block.toolName, `${where}.toolName`),
      ...(isRead
        ? { input: input ?? {} }
        : { input: { unread: JSON.stringify(input) }, unread: "malformed" }),
      ...optionsOf(block),
    }
  },
}

function readResults(fields: Fields, calls: Message | undefined, where: string): readonly MessagePart[] {
  const parts = listOf(READER, fields.content, `${where}.content`).map((item, at) => {
    const block = fieldsOf(READER, item, `${where}.content[${at}]`)
    const type = checkType(READER, block.type, `${where}.content[${at}]`)
    if (type !== "tool-result") return nativePart("ai-sdk", withoutMarks(block))
    return readResult(block, calls, `${where}.content[${at}]`)
  })
  return [...messageFields(fields), ...parts]
}

function readResult(block: Fields, calls: Message | undefined, where: string): MessagePart {
  const id = textOf(READER, block.toolCallId, `${where}.toolCallId`)
  const name = textOf(READER, block.toolName, `${where}.toolName`)
  const call = calls?.parts.find((part) => part.kind === "tool-call" && part.id === id)
  const isNamed = call?.kind === "tool-call" && call.name === name
  const { said, output } = readOutput(fieldsOf(READER, block.output, `${where}.output`), `${where}.output`)
  return {
    kind: "tool-result",
    id,
    ...said,
    ...optionsOf(block),
    ...kept("ai-sdk", { ...(!isNamed && { name }), ...(output && { output }) }),
  }
}

interface Said {
  readonly text: string
  readonly json?: true
  readonly isError?: true
}

/** `output`: kept beside the text, if it has more than the text. */
function readOutput(output: Fields, where: string): { readonly said: Said; readonly output?: Fields } {
  const type = textOf(READER, output.type, `${where}.type`)
  const text = outputText(output)
  if (text === undefined) refuse(READER, where, `has no ${type}`)
  const said = {
    text,
    ...(type.endsWith("json") && { json: true as const }),
    ...((type.startsWith("error-") || type === "execution-denied") && { isError: true as const }),
  }
  const isPlain = PLAIN_OUTPUTS.includes(type) && Object.keys(output).length === 2
  return isPlain ? { said } : { said, output: withoutMarks(output) }
}

const PLAIN_OUTPUTS = ["text", "error-text", "json", "error-json"]

/** What an output of the SDK says, for providers that take only text. */
export function outputText({ type, value, reason }: Fields): string | undefined {
  if (type === "text" || type === "error-text") return typeof value === "string" ? value : undefined
  if (type === "json" || type === "error-json") return JSON.stringify(copyOf(value))
  return Array.isArray(value) ? readable(value) : String(reason ?? `[${type}]`)
}

/** Marks of the caller's own caching, by provider. The renderer sets its own, and providers allow only a few. */
const MARKS = ["cacheControl", "cache_control", "cachePoint", "promptCacheBreakpoint"]

function optionsOf({ providerOptions }: Fields): { readonly data?: ProviderData } {
  if (!isFields(providerOptions)) return {}
  const data = Object.entries(providerOptions).flatMap(([provider, options]) => {
    if (!isFields(options)) return []
    const rest = Object.entries(options).filter(([name]) => !MARKS.includes(name))
    const isOnlyMarks = rest.length === 0 && Object.keys(options).length > 0
    // A copy of fields is fields.
    return isOnlyMarks ? [] : [[provider, copyOf(Object.fromEntries(rest)) as Fields] as const]
  })
  return data.length === 0 ? {} : { data: Object.fromEntries(data) }
}

/** A block as it is, apart from cache marks. */
function withoutMarks(block: Fields): Fields {
  return Object.fromEntries(
    Object.entries(unmarked(block)).flatMap(([name, field]) => {
      if (name !== "providerOptions") return [[name, field]]
      const { data } = optionsOf(block)
      return data === undefined ? [] : [[name, data]]
    }),
  )
}
