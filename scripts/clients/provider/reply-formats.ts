// The scripted model's reply as each API sends it, whole or as a stream of events.
import type { Format } from "../../../src/capture/call.ts"
import { inputOf, type Usage } from "../../../src/render/cache/price.ts"
import type { Reply, ToolCall } from "./scripted-model.ts"

type Json = Readonly<Record<string, unknown>>

export interface Replied {
  /** The same on the wire and in the client's files. */
  readonly id: string
  readonly whole: Json
  /** Data of server-sent events; each is named by its type if the API does that. */
  readonly events: readonly Json[]
  readonly named: boolean
  readonly done: boolean
}

interface Facts {
  readonly n: number
  readonly model: string
  readonly reply: Reply
  readonly usage: Usage
  /** Whether the request wants JSON: some clients ask for a title or the next speaker. */
  readonly wantsJson: boolean
}

export const REPLIES: Readonly<Record<Format, (facts: Facts) => Replied>> = {
  anthropic: anthropicReply,
  "openai-responses": responsesReply,
  "openai-chat": chatReply,
  google: googleReply,
}

/** Different for every server and reply, as the ids of a service are. */
const START = Date.now().toString(36)

function idOf(prefix: string, n: number): string {
  return `${prefix}${START}${String(n).padStart(6, "0")}`
}

function anthropicReply({ n, model, reply, usage }: Facts): Replied {
  const id = idOf("msg_", n)
  const written = Object.values(usage.write).reduce((sum, tokens) => sum + tokens, 0)
  const used = {
    input_tokens: usage.uncached,
    cache_read_input_tokens: usage.read,
    cache_creation_input_tokens: written,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.write["5m"] ?? 0,
      ephemeral_1h_input_tokens: usage.write["1h"] ?? 0,
    },
  }
  const content: readonly Json[] = [
    { type: "text", text: reply.text },
    ...(reply.call === undefined
      ? []
      : [{ type: "tool_use", id: idOf("toolu_", n), name: reply.call.name, input: reply.call.input }]),
  ]
  const message = { id, type: "message", role: "assistant", model, stop_sequence: null }
  const stop_reason = reply.call === undefined ? "end_turn" : "tool_use"
  const blocks = content.flatMap((item, index): readonly Json[] => [
    {
      type: "content_block_start",
      index,
      content_block: item.type === "text" ? { type: "text", text: "" } : { ...item, input: {} },
    },
    {
      type: "content_block_delta",
      index,
      delta:
        item.type === "text"
          ? { type: "text_delta", text: item.text }
          : { type: "input_json_delta", partial_json: JSON.stringify(item.input) },
    },
    { type: "content_block_stop", index },
  ])
  return {
    id,
    whole: { ...message, content, stop_reason, usage: { ...used, output_tokens: usage.output } },
    events: [
      {
        type: "message_start",
        message: { ...message, content: [], stop_reason: null, usage: { ...used, output_tokens: 1 } },
      },
      ...blocks,
      {
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: usage.output },
      },
      { type: "message_stop" },
    ],
    named: true,
    done: false,
  }
}

function responsesReply({ n, model, reply, usage, wantsJson }: Facts): Replied {
  const id = idOf("resp_", n)
  const text = wantsJson ? JSON.stringify({ title: "Looking at a folder" }) : reply.text
  const part = { type: "output_text", text, annotations: [] }
  const message = {
    type: "message",
    id: idOf("msg_", n),
    role: "assistant",
    status: "completed",
    content: [part],
  }
  const { call } = reply
  const called = call === undefined ? [] : [calledItem(call, n)]
  const items: readonly Json[] = [message, ...called]
  const input = inputOf(usage)
  const whole: Json = {
    id,
    object: "response",
    created_at: 1,
    status: "completed",
    model,
    output: items,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.read, cache_write_tokens: usage.write["30m"] ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + usage.output,
    },
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
  }
  const events = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
    ...items.flatMap((item, index) => itemEvents(item, index)),
    { type: "response.completed", response: whole },
  ]
  return {
    id,
    whole,
    events: events.map((event, sequence_number) => ({ ...event, sequence_number })),
    named: true,
    done: false,
  }
}

function calledItem({ name, namespace, input, code }: ToolCall, n: number): Json {
  const item = { call_id: idOf("call_", n), status: "completed" }
  if (name === "tool_search")
    return { type: "tool_search_call", id: idOf("tsc_", n), ...item, execution: "client", arguments: input }
  if (code !== undefined) return { type: "custom_tool_call", id: idOf("ctc_", n), ...item, name, input: code }
  const named = { name, ...(namespace !== undefined && { namespace }) }
  return { type: "function_call", id: idOf("fc_", n), ...item, ...named, arguments: JSON.stringify(input) }
}

function itemEvents(item: Json, output_index: number): readonly Json[] {
  const at = { item_id: item.id, output_index }
  const delta = (type: string, field: "arguments" | "input"): readonly Json[] => [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, [field]: "", status: "in_progress" },
    },
    { type: `${type}.delta`, ...at, delta: item[field] },
    { type: `${type}.done`, ...at, [field]: item[field] },
  ]
  const done = { type: "response.output_item.done", output_index, item }
  if (item.type === "function_call") return [...delta("response.function_call_arguments", "arguments"), done]
  if (item.type === "custom_tool_call") return [...delta("response.custom_tool_call_input", "input"), done]
  if (item.type === "tool_search_call")
    return [
      { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } },
      done,
    ]
  // The item of `responsesReply`.
  const part = (item.content as readonly Json[])[0] ?? {}
  const inPart = { ...at, content_index: 0 }
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, content: [], status: "in_progress" },
    },
    { type: "response.content_part.added", ...inPart, part: { ...part, text: "" } },
    { type: "response.output_text.delta", ...inPart, delta: part.text },
    { type: "response.output_text.done", ...inPart, text: part.text },
    { type: "response.content_part.done", ...inPart, part },
    done,
  ]
}

function chatReply({ n, model, reply, usage }: Facts): Replied {
  const id = idOf("chatcmpl-", n)
  const input = inputOf(usage)
  const used = {
    prompt_tokens: input,
    completion_tokens: usage.output,
    total_tokens: input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.read },
  }
  const call = reply.call && {
    id: idOf("call_", n),
    type: "function",
    function: { name: reply.call.name, arguments: JSON.stringify(reply.call.input) },
  }
  const finish_reason = call === undefined ? "stop" : "tool_calls"
  const message = { role: "assistant", content: reply.text }
  const chunk = (choices: readonly Json[]) => ({
    id,
    object: "chat.completion.chunk",
    created: 1,
    model,
    choices,
  })
  return {
    id,
    whole: {
      id,
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, message: { ...message, ...(call && { tool_calls: [call] }) }, finish_reason }],
      usage: used,
    },
    events: [
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      ...(call
        ? [chunk([{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }])]
        : []),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      { ...chunk([]), usage: used },
    ],
    named: false,
    done: true,
  }
}

function googleReply({ n, model, reply, usage, wantsJson }: Facts): Replied {
  const id = idOf("", n)
  const input = inputOf(usage)
  const aside = {
    reasoning: "simple",
    next_speaker: "user",
    complexity_score: 10,
    model_choice: "flash",
    title: "x",
  }
  const parts = wantsJson
    ? [{ text: JSON.stringify(aside) }]
    : [
        { text: reply.text },
        ...(reply.call
          ? [{ functionCall: { name: reply.call.name, args: reply.call.input, id: idOf("fc_", n) } }]
          : []),
      ]
  const whole = {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: usage.output,
      totalTokenCount: input + usage.output,
      cachedContentTokenCount: usage.read,
    },
    modelVersion: model,
    responseId: id,
  }
  return { id, whole, events: [whole], named: false, done: false }
}
