// A request of the responses API. Its input is a text or a list of items; `previous_response_id`, or a reference to an
// earlier answer, continues a conversation.
import { isRecord } from "../../base/is-record.ts"
import { checkFields, ignoredFields } from "../talk/request/fields.ts"
import { type Body, effortIn, flagIn, limitIn, modelIn, readHeaders } from "../talk/request/read-body.ts"
import { readConversation, type WireMessage } from "../talk/request/read-conversation.ts"
import { readArguments } from "../talk/request/read-parts.ts"
import { offersTools, toolsIn } from "../talk/request/read-tools.ts"
import type { TalkRequest } from "../talk/request/talk-request.ts"
import { invalid, unsupported } from "../talk/surface-error.ts"
import { RESPONSES_FIELDS } from "./responses-fields.ts"

export function readResponses(request: Request, body: Body): TalkRequest {
  checkFields(body, RESPONSES_FIELDS)
  const { items, previous } = itemsIn(body)
  const { instructions: within, earlier, message } = readConversation(items, "input")
  const { instructions: given } = body
  if (given !== undefined && given !== null && typeof given !== "string")
    throw invalid("instructions", "instructions must be a text")
  const tools = toolsIn(body, (item) => (item.type === "function" ? item : undefined))
  return {
    ...{ model: modelIn(body), earlier, message, ...readHeaders(request) },
    instructions: [given, within].filter((text) => typeof text === "string").join("\n\n") || undefined,
    previous: previousIn(body) ?? previous,
    isThread: false,
    tools: offersTools(body) ? tools : [],
    isOneCall: body.parallel_tool_calls === false,
    effort: effortIn(isRecord(body.reasoning) ? body.reasoning.effort : undefined, "reasoning.effort"),
    maxTokens: limitIn(body, "max_output_tokens"),
    stop: [],
    isStreamed: flagIn(body, "stream"),
    ignored: ignoredFields(body, RESPONSES_FIELDS),
  }
}

function previousIn({ previous_response_id: id }: Body): string | undefined {
  if (id === undefined || id === null) return undefined
  if (typeof id === "string") return id.replace(/^resp_/, "")
  throw invalid("previous_response_id", "previous_response_id must be a text")
}

interface Items {
  readonly items: readonly WireMessage[]
  /** The last answer that is referred to. What came before it is known. */
  readonly previous: string | undefined
}

function itemsIn({ input }: Body): Items {
  if (typeof input === "string") return { items: [{ role: "user", content: input }], previous: undefined }
  if (!Array.isArray(input) || input.length === 0)
    throw invalid("input", "input must be a text or a list with at least one item")
  const items: readonly unknown[] = input
  const last = items.findLastIndex((item) => isRecord(item) && item.type === "item_reference")
  const previous = answerOf(items[last])
  if (last >= 0 && previous === undefined) throw invalid(`input[${last}]`, "there is no item with this id")
  const instructions = items.slice(0, last + 1).filter(isInstructions)
  const rest = [...instructions, ...items.slice(last + 1)]
  return { items: rest.flatMap(messageIn), previous }
}

/** The answer that has the item: its message, or one of its calls. */
function answerOf(reference: unknown): string | undefined {
  const id = isRecord(reference) ? String(reference.id) : ""
  return /^(?:msg|fc)_([^_]+)(?:_\d+)?$/.exec(id)?.[1]
}

/** Known messages are left out, but a client repeats its instructions. */
function isInstructions(item: unknown): boolean {
  return isRecord(item) && (item.role === "system" || item.role === "developer")
}

function messageIn(item: unknown, at: number): readonly WireMessage[] {
  const place = `input[${at}]`
  if (!isRecord(item)) throw invalid(place, `${place} must be an object`)
  const { type, role, content, call_id: id, name } = item
  if (type === "reasoning") return []
  if (type === "function_call") {
    const input = readArguments(item.arguments, place)
    return [{ role: "assistant", content: [{ type: "tool_use", id, name, input }] }]
  }
  if (type === "function_call_output")
    return [{ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: item.output }] }]
  if (type !== undefined && type !== "message")
    throw unsupported(place, `${place}: items of the type ${JSON.stringify(type)} are not supported`)
  if (typeof role !== "string") throw invalid(place, `${place} must have a role`)
  return [{ role, content }]
}
