// Parses the messages that the `context` hook returns. Accepts only a conversation that providers accept: each tool
// call has its result in the very next message, and every result has a call.
import {
  type Message,
  type MessagePart,
  NATIVE_FORMATS,
  type Native,
  type ProviderData,
} from "../core/model/message.ts"
import { fieldsOf, listOf, oneOf, recordOf, requiredText, wordOf } from "./shape.ts"

const ROLES = ["user", "assistant"] as const

/** Undefined if nothing is to change. `given`: the messages that the hook received. */
export function contextAnswer(
  answer: unknown,
  given: readonly Message[] = [],
): readonly Message[] | undefined {
  if (answer === undefined || answer === null) return undefined
  const { messages } = fieldsOf(answer, "the answer", ["messages"])
  const list = listOf(messages, "messages").map(messageOf)
  if (list[0]?.role !== "user") throw new TypeError("the first message is not the user's")
  checkCalls(list)
  return withGivenTails(list, given)
}

/** Only for tails that were given is it known which words are the operator's; a hook cannot claim that. */
function withGivenTails(list: readonly Message[], given: readonly Message[]): readonly Message[] {
  const known = new Map(
    given
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.kind === "text" && part.tail ? [[part.text, part] as const] : [])),
  )
  return list.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.kind === "text" && part.tail ? (known.get(part.text) ?? part) : part,
    ),
  }))
}

function messageOf(value: unknown): Message {
  const { role, parts } = fieldsOf(value, "a message", ["role", "parts"])
  const list = listOf(parts, "parts")
  if (list.length === 0) throw new TypeError("a message has no parts")
  return { role: oneOf(ROLES, role, "role"), parts: list.map(partOf) }
}

function partOf(value: unknown): MessagePart {
  const { kind } = recordOf(value, "a part")
  const fields = (...known: string[]) => fieldsOf(value, `a part of kind "${kind}"`, ["kind", ...known])
  if (kind === "text") {
    // A hook may return what it received, including the marks reserved for the compiler.
    const { text, tail, data, native } = fields("text", "tail", "operator", "envelope", "data", "native")
    return {
      kind,
      text: requiredText(text, "text"),
      ...(isSet(tail, "tail") && { tail: true }),
      ...dataOf(data),
      ...nativeOf(native),
    }
  }
  if (kind === "reasoning") {
    const { text, data, native } = fields("text", "data", "native")
    return { kind, text: requiredText(text, "text"), ...dataOf(data), ...nativeOf(native) }
  }
  if (kind === "tool-call") {
    const { id, name, input, data, native } = fields("id", "name", "input", "unread", "data", "native")
    const named = { id: wordOf(id, "id"), name: wordOf(name, "name") }
    return { kind, ...named, input, ...dataOf(data), ...nativeOf(native) }
  }
  if (kind === "tool-result") {
    const { id, text, json, isError, data, native } = fields(
      "id",
      "text",
      "json",
      "isError",
      "data",
      "native",
    )
    const marks = {
      ...(isSet(json, "json") && { json: true as const }),
      ...(isSet(isError, "isError") && { isError: true as const }),
    }
    const said = { id: wordOf(id, "id"), text: requiredText(text, "text") }
    return { kind, ...said, ...marks, ...dataOf(data), ...nativeOf(native) }
  }
  if (kind === "native") {
    const { format, value, fields: isFields } = fields("format", "value", "fields")
    // The agent sends every request through the AI SDK, and would leave out anything else.
    const own = {
      format: oneOf(["ai-sdk", "file"] as const, format, "format"),
      value: recordOf(value, "value"),
    }
    return { kind, ...own, ...(isSet(isFields, "fields") && { fields: true }) }
  }
  throw new TypeError(`a part has the unknown kind "${kind}"`)
}

/** A mark is true or absent. */
function isSet(value: unknown, what: string): boolean {
  if (value !== undefined && value !== true) throw new TypeError(`${what} must be true or absent`)
  return value === true
}

function dataOf(value: unknown): { readonly data?: ProviderData } {
  if (value === undefined) return {}
  const data = recordOf(value, "data")
  for (const of of Object.values(data)) recordOf(of, "data")
  // Each value has been checked to be an object.
  return { data: data as ProviderData }
}

function nativeOf(value: unknown): { readonly native?: Native } {
  if (value === undefined) return {}
  const { format, value: of } = fieldsOf(value, "native", ["format", "value"])
  return {
    native: { format: oneOf(NATIVE_FORMATS, format, "native.format"), value: recordOf(of, "native.value") },
  }
}

function checkCalls(messages: readonly Message[]): void {
  let open: readonly string[] = []
  for (const { role, parts } of messages) {
    const calls = idsOf(parts, "tool-call")
    const results = idsOf(parts, "tool-result")
    if (role === "user" && calls.length > 0) throw new TypeError("a user message has a tool call")
    if (role === "assistant" && results.length > 0)
      throw new TypeError("an assistant message has a tool result")
    const unanswered = open.find((id) => !results.includes(id))
    if (unanswered !== undefined) throw new TypeError(`the call ${unanswered} has no result right after it`)
    const uncalled = results.find((id, at) => !open.includes(id) || results.indexOf(id) !== at)
    if (uncalled !== undefined) throw new TypeError(`the result ${uncalled} has no call right before it`)
    if (new Set(calls).size < calls.length) throw new TypeError("two calls have the same id")
    open = calls
  }
  if (open.length > 0) throw new TypeError(`the call ${open[0]} has no result right after it`)
}

function idsOf(parts: readonly MessagePart[], kind: "tool-call" | "tool-result"): readonly string[] {
  return parts.flatMap((part) => (part.kind === kind ? [part.id] : []))
}
