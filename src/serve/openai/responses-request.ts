// A request of the responses API. Its input is a text or a list of items; `previous_response_id`, or a reference to an
// earlier answer, continues a conversation.
import { isRecord } from "../../base/is-record.ts"
import { ignoredFields } from "../talk/answer-headers.ts"
import {
  type Body,
  flagIn,
  limitIn,
  modelIn,
  type Refused,
  readHeaders,
  refuseFields,
} from "../talk/read-body.ts"
import { readConversation, type WireMessage } from "../talk/read-conversation.ts"
import { invalid, unsupported } from "../talk/surface-error.ts"
import type { TalkRequest } from "../talk/talk-request.ts"

const USED = [
  ...["model", "input", "instructions", "previous_response_id", "max_output_tokens", "stream"],
  ...["metadata", "user", "store"],
]

/** As for chat completions. */
export const RESPONSES_REFUSED: readonly Refused[] = [
  { field: "tools", why: "tools that the client runs are not supported; the agent uses its own" },
  { field: "background", why: "background responses are not supported; use stream" },
  { field: "conversation", why: "conversation is not supported; use previous_response_id" },
  { field: "prompt", why: "stored prompts are not supported; use instructions" },
  {
    field: "text",
    fine: (value) => !isRecord(value) || !isRecord(value.format) || value.format.type === "text",
    why: 'text.format must be {"type": "text"}; ask for JSON in the message',
  },
]

export function readResponses(request: Request, body: Body): TalkRequest {
  refuseFields(body, RESPONSES_REFUSED)
  const { items, previous } = itemsIn(body)
  const { instructions: within, earlier, message } = readConversation(items, "input")
  const { instructions: given } = body
  if (given !== undefined && given !== null && typeof given !== "string")
    throw invalid("instructions", "instructions must be a text")
  return {
    ...{ model: modelIn(body), earlier, message, ...readHeaders(request) },
    instructions: [given, within].filter((text) => typeof text === "string").join("\n\n") || undefined,
    previous: previousIn(body) ?? previous,
    maxTokens: limitIn(body, "max_output_tokens"),
    stop: [],
    isStreamed: flagIn(body, "stream"),
    ignored: ignoredFields(body, [...USED, ...RESPONSES_REFUSED.map(({ field }) => field)]),
  }
}

function previousIn({ previous_response_id: id }: Body): string | undefined {
  if (id === undefined || id === null) return undefined
  if (typeof id === "string") return id.replace(/^resp_/, "")
  throw invalid("previous_response_id", "previous_response_id must be a text")
}

interface Items {
  readonly items: readonly WireMessage[]
  /** The turn of the last answer that is referred to. What came before it is known. */
  readonly previous: string | undefined
}

function itemsIn({ input }: Body): Items {
  if (typeof input === "string") return { items: [{ role: "user", content: input }], previous: undefined }
  if (!Array.isArray(input) || input.length === 0)
    throw invalid("input", "input must be a text or a list with at least one item")
  const items: readonly unknown[] = input
  const last = items.findLastIndex((item) => isRecord(item) && item.type === "item_reference")
  const reference = items[last]
  const isOurs = isRecord(reference) && typeof reference.id === "string" && reference.id.startsWith("msg_")
  if (last >= 0 && !isOurs) throw invalid(`input[${last}]`, "there is no item with this id")
  const previous = isOurs ? String(reference.id).slice("msg_".length) : undefined
  const instructions = items.slice(0, last + 1).filter(isInstructions)
  const rest = [...instructions, ...items.slice(last + 1)]
  return { items: rest.flatMap(messageIn), previous }
}

/** Known messages are left out, but a client repeats its instructions. */
function isInstructions(item: unknown): boolean {
  return isRecord(item) && (item.role === "system" || item.role === "developer")
}

function messageIn(item: unknown, at: number): readonly WireMessage[] {
  const place = `input[${at}]`
  if (!isRecord(item)) throw invalid(place, `${place} must be an object`)
  if (item.type === "reasoning") return []
  if (item.type !== undefined && item.type !== "message")
    throw unsupported(place, `${place}: items of the type ${JSON.stringify(item.type)} are not supported`)
  if (typeof item.role !== "string") throw invalid(place, `${place} must have a role`)
  return [{ role: item.role, content: item.content }]
}
