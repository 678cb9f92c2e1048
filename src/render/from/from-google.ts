// Reads contents of the Gemini API: `candidate.content`, or the `contents` of a request. Thoughts, thought signatures,
// media and code come back unchanged from `renderGoogle`.
import type { Message, MessagePart, ProviderData } from "../../core/model/message.ts"
import {
  copyOf,
  createCollector,
  type Fields,
  fieldsOf,
  isFields,
  kept,
  listOf,
  nativePart,
  own,
  type Reader,
  refuse,
  restOf,
} from "./shape.ts"

/** `candidate.content`, or a content of the history. */
export interface GoogleHistoryContent {
  readonly role?: string | undefined
  readonly parts?: readonly object[] | undefined
}

const READER: Reader = {
  format: "google",
  name: "fromGoogle",
  takes: "`candidate.content`, or a list of contents with `role` and `parts`",
}

/**
 * Reads what Google's SDK returned (`candidate.content`), or the contents that it takes, as our messages. The API often
 * gives calls no id: `before`, the conversation so far, keeps the ids made for them unique.
 */
export function fromGoogle(
  given: string | GoogleHistoryContent | readonly GoogleHistoryContent[],
  before: readonly Message[] = [],
): readonly Message[] {
  if (typeof given === "string") return [{ role: "user", parts: [{ kind: "text", text: given }] }]
  const list = isFields(given) ? [given] : listOf(READER, given, "the value")
  const { messages, message } = createCollector()
  const calls = createCallNames(before)
  for (const [at, item] of list.entries()) {
    const content = fieldsOf(READER, item, `contents[${at}]`)
    const role = roleOf(content, `contents[${at}]`)
    const parts = listOf(READER, content.parts ?? [], `contents[${at}].parts`).map((part, index) =>
      readPart(part, calls, `contents[${at}].parts[${index}]`),
    )
    message(role, parts)
    calls.heard({ role, parts })
  }
  return messages
}

const ROLES: Readonly<Record<string, Message["role"]>> = {
  user: "user",
  model: "assistant",
  function: "user",
}

/** A content without a role is the user's. */
function roleOf({ role = "user", parts, ...rest }: Fields, where: string): Message["role"] {
  const found = own(ROLES, String(role))
  if (found === undefined || (parts === undefined && Object.keys(rest).length > 0))
    refuse(READER, where, found === undefined ? `has the role ${JSON.stringify(role)}` : "has no parts")
  return found
}

function readPart(item: unknown, calls: CallNames, where: string): MessagePart {
  const part = fieldsOf(READER, item, where)
  if (isFields(part.functionCall)) return readCall(part, part.functionCall, calls)
  if (isFields(part.functionResponse)) return readResult(part, part.functionResponse, calls)
  const { text } = part
  // A signature may come with no text. It must go back all the same.
  if (typeof text !== "string" || (text.trim() === "" && part.thought !== true))
    return nativePart("google", part)
  const rest = restOf(part, ["text", "thought", "thoughtSignature"])
  if (part.thought !== true) return { kind: "text", text, ...signature(part), ...kept("google", rest) }
  // Kept even if empty: it says whose thought this is.
  return { kind: "reasoning", text, ...signature(part), native: { format: "google", value: rest } }
}

/** The signature, where the AI SDK has it too. */
function signature({ thoughtSignature }: Fields): { readonly data?: ProviderData } {
  return typeof thoughtSignature === "string" ? { data: { google: { thoughtSignature } } } : {}
}

function readCall(part: Fields, call: Fields, calls: CallNames): MessagePart {
  const name = typeof call.name === "string" ? call.name : ""
  const { id } = call
  return {
    kind: "tool-call",
    id: typeof id === "string" ? id : calls.next(),
    name,
    input: copyOf(call.args ?? {}),
    ...signature(part),
    ...kept("google", {
      ...(typeof id !== "string" && { withoutId: true }),
      ...nested("call", restOf(call, ["id", "name", "args"])),
      ...nested("part", restOf(part, ["functionCall", "thoughtSignature"])),
    }),
  }
}

function readResult(part: Fields, response: Fields, calls: CallNames): MessagePart {
  const name = typeof response.name === "string" ? response.name : undefined
  const { id: given } = response
  const call = calls.answered(typeof given === "string" ? given : undefined, name)
  const { output, ...said } = readResponse(response.response)
  return {
    kind: "tool-result",
    id: typeof given === "string" ? given : call.id,
    ...output,
    ...signature(part),
    ...kept("google", {
      ...said,
      ...(typeof given !== "string" && { withoutId: true }),
      ...(name !== call.name && { name: name ?? "" }),
      ...nested("response", restOf(response, ["id", "name", "response"])),
      ...nested("part", restOf(part, ["functionResponse", "thoughtSignature"])),
    }),
  }
}

function nested(name: string, fields: Fields): Fields {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields }
}

interface Output {
  readonly text: string
  readonly json?: true
  readonly isError?: true
}

/** The API names the fields `output` and `error`. A response with other fields is an output as a whole. */
function readResponse(response: unknown): { readonly output: Output; readonly whole?: true } {
  const fields = isFields(response) ? response : {}
  const [only, ...more] = Object.keys(fields)
  const isNamed = more.length === 0 && (only === "output" || only === "error") && fields[only] !== undefined
  if (!isNamed) return { output: { text: JSON.stringify(copyOf(fields)), json: true }, whole: true }
  const value = fields[only]
  const failed = only === "error" ? ({ isError: true } as const) : {}
  if (typeof value === "string") return { output: { text: value, ...failed } }
  return { output: { text: JSON.stringify(copyOf(value)), json: true, ...failed } }
}

interface CallName {
  readonly id: string
  readonly name: string | undefined
}

/** The ids of calls: made where the API gives none, and found again for results that name only the function. */
interface CallNames {
  next(): string
  /** The call that a result answers: by id, else the first open one of that name. */
  answered(id: string | undefined, name: string | undefined): CallName
  heard(message: Message): void
}

function createCallNames(before: readonly Message[]): CallNames {
  const taken = new Set(before.flatMap(({ parts }) => callsIn(parts)).map(({ id }) => id))
  let open = [...callsIn(before.findLast(({ role }) => role === "assistant")?.parts ?? [])]
  const next = () => {
    let number = taken.size + 1
    while (taken.has(`call_${number}`)) number += 1
    taken.add(`call_${number}`)
    return `call_${number}`
  }
  return {
    next,
    answered(id, name) {
      const found = open.find((call) => (id === undefined ? call.name === name : call.id === id))
      // An id may be asked for twice, but a call without one is answered once.
      if (id === undefined) open = open.filter((call) => call !== found)
      return found ?? { id: id ?? next(), name: id }
    },
    heard({ role, parts }) {
      for (const { id } of callsIn(parts)) taken.add(id)
      if (role === "assistant") open = [...callsIn(parts)]
    },
  }
}

function callsIn(parts: readonly MessagePart[]): readonly { readonly id: string; readonly name: string }[] {
  return parts.flatMap((part) => (part.kind === "tool-call" ? [{ id: part.id, name: part.name }] : []))
}
