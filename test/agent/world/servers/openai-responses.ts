// OpenAI's Responses protocol: numbered events, items of messages, reasoning and calls. Nothing is stored, so an item
// cannot be referred to, and reasoning comes back encrypted.
import {
  type Answer,
  type AnsweredCall,
  type AnswerPart,
  endOf,
  type Protocol,
  pieces,
  type Written,
  writtenInput,
} from "./protocol.ts"
import { type Json, refuseResponses } from "./refusals.ts"

export const openaiResponses: Protocol = {
  path: /^\/v1\/responses$/,
  keyHeader: "authorization",
  contentType: "text/event-stream",
  refuse: (body) => refuseResponses(body) ?? refuseItems(body),
  write,
  problem: (status, message) => ({
    error: {
      message,
      type: status < 500 ? "invalid_request_error" : "server_error",
      param: null,
      code: null,
    },
  }),
  env: (url) => ({ OPENAI_API_KEY: "test-key", OPENAI_BASE_URL: `${url}/v1` }),
}

function refuseItems({ input, store }: Json): string | undefined {
  const items: Json[] = input
  const named = items.find(({ type }) => type === "item_reference")
  if (named !== undefined) return `Item with id '${named.id}' not found.`
  const open = items.find(({ type, encrypted_content }) => type === "reasoning" && !encrypted_content)
  return store === false && open !== undefined
    ? `Item with id '${open.id}' not found. Items are not persisted when \`store\` is set to false.`
    : undefined
}

type Event = readonly [type: string, fields: object]

function write(answer: Answer): Written {
  const { number, model, isCut, body } = answer
  const response = { id: `resp_${number}`, object: "response", created_at: 1, model, status: "in_progress" }
  let sequence = 0
  const events = (list: readonly Event[]) =>
    list.map(([type, fields]) => {
      const data = JSON.stringify({ type, sequence_number: sequence++, ...fields })
      return `event: ${type}\ndata: ${data}\n\n`
    })
  const include = Array.isArray(body.include) ? body.include : []
  const isOpen = !include.includes("reasoning.encrypted_content")
  const last = { ...response, status: isCut ? "incomplete" : "completed", usage: usageOf(answer) }
  return {
    start: events([
      ["response.created", { response }],
      ["response.in_progress", { response }],
    ]),
    parts: answer.parts.map((part, index) => events(itemOf(part, { index, number, isOpen }))),
    end: endOf(
      answer,
      events([
        isCut
          ? [
              "response.incomplete",
              { response: { ...last, incomplete_details: { reason: "max_output_tokens" } } },
            ]
          : ["response.completed", { response: last }],
      ]),
    ),
  }
}

function usageOf({ usage }: Answer): object | undefined {
  if (usage === undefined) return undefined
  const { "30m": half = 0, "12h": long = 0 } = usage.write
  const input = usage.uncached + usage.read + half + long
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.read,
      ...(half + long > 0 && {
        cache_write_tokens: half + long,
        cache_write_tokens_details: { ttl_30m_tokens: half, ttl_12h_tokens: long },
      }),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + usage.output,
  }
}

interface ItemPlace {
  readonly index: number
  readonly number: number
  /** Nobody asked for reasoning in a form that can be given back. */
  readonly isOpen: boolean
}

function itemOf(part: AnswerPart, { index, number, isOpen }: ItemPlace): readonly Event[] {
  const at = `${number}_${index}`
  if ("error" in part) return [["error", { code: part.error.type, message: part.error.message, param: null }]]
  if ("text" in part) return messageItem(part.text, { item_id: `msg_${at}`, output_index: index })
  if ("reasoning" in part)
    return reasoningItem(part.reasoning, { item_id: `rs_${at}`, output_index: index }, isOpen)
  return callItem(part.call, { item_id: `fc_${at}`, output_index: index })
}

interface Place {
  readonly item_id: string
  readonly output_index: number
}

function messageItem(text: string, place: Place): readonly Event[] {
  const item = { type: "message", id: place.item_id, role: "assistant" }
  const part = { type: "output_text", text, annotations: [] }
  const inside = { ...place, content_index: 0 }
  return [
    ["response.output_item.added", { ...place, item: { ...item, status: "in_progress", content: [] } }],
    ["response.content_part.added", { ...inside, part: { ...part, text: "" } }],
    ...pieces(text).map((delta): Event => ["response.output_text.delta", { ...inside, delta }]),
    ["response.output_text.done", { ...inside, text }],
    ["response.content_part.done", { ...inside, part }],
    ["response.output_item.done", { ...place, item: { ...item, status: "completed", content: [part] } }],
  ]
}

function reasoningItem(text: string, place: Place, isOpen: boolean): readonly Event[] {
  const item = { type: "reasoning", id: place.item_id }
  const part = { type: "summary_text", text }
  const inside = { ...place, summary_index: 0 }
  const sealed = isOpen ? {} : { encrypted_content: Buffer.from(text).toString("base64") }
  return [
    ["response.output_item.added", { ...place, item: { ...item, summary: [] } }],
    ["response.reasoning_summary_part.added", { ...inside, part: { ...part, text: "" } }],
    ...pieces(text).map((delta): Event => ["response.reasoning_summary_text.delta", { ...inside, delta }]),
    ["response.reasoning_summary_text.done", { ...inside, text }],
    ["response.reasoning_summary_part.done", { ...inside, part }],
    ["response.output_item.done", { ...place, item: { ...item, ...sealed, summary: [part] } }],
  ]
}

function callItem(call: AnsweredCall, place: Place): readonly Event[] {
  const item = { type: "function_call", id: place.item_id, call_id: call.id, name: call.name }
  const text = writtenInput(call)
  return [
    ["response.output_item.added", { ...place, item: { ...item, status: "in_progress", arguments: "" } }],
    ...pieces(text).map((delta): Event => ["response.function_call_arguments.delta", { ...place, delta }]),
    ["response.function_call_arguments.done", { ...place, arguments: text }],
    ["response.output_item.done", { ...place, item: { ...item, status: "completed", arguments: text } }],
  ]
}
