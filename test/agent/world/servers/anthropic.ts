// Anthropic's Messages protocol: named events, blocks of text, thinking and calls, a signature on every thought.
import { refuseMessages } from "../../../../examples/programs/messages-api.ts"
import { digest } from "../../../../src/base/digest.ts"
import {
  type Answer,
  type AnswerPart,
  endOf,
  hasCall,
  type Protocol,
  pieces,
  type Written,
  writtenInput,
} from "./protocol.ts"
import type { Json } from "./refusals.ts"

const STATUS_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  429: "rate_limit_error",
  529: "overloaded_error",
}

export const anthropic: Protocol = {
  path: /^\/v1\/messages$/,
  keyHeader: "x-api-key",
  contentType: "text/event-stream",
  refuse: (body) => refuseMessages(body) ?? refuseThoughts(body),
  write,
  problem: (status, message) => ({
    type: "error",
    error: { type: STATUS_TYPES[status] ?? "api_error", message },
  }),
  env: (url) => ({ ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: url }),
}

/** Thoughts must come back as they were given. */
function refuseThoughts({ messages }: Json): string | undefined {
  const blocks: Json[] = messages.flatMap(({ content }: Json) => content)
  const forged = blocks.some(
    ({ type, thinking, signature }) => type === "thinking" && signature !== digest(thinking),
  )
  return forged ? "Invalid `signature` in `thinking` block" : undefined
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function write(answer: Answer): Written {
  const { number, model, usage, isCut } = answer
  const { "5m": short = 0, "1h": long = 0 } = usage?.write ?? {}
  const input = {
    input_tokens: usage?.uncached ?? 0,
    cache_read_input_tokens: usage?.read ?? 0,
    cache_creation_input_tokens: short + long,
    cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
  }
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...input, output_tokens: 1 },
  }
  const stop = isCut ? "max_tokens" : hasCall(answer) ? "tool_use" : "end_turn"
  return {
    start: [event("message_start", { message })],
    parts: answer.parts.map((part, index) => blockOf(part, index)),
    end: endOf(answer, [
      event("message_delta", {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: usage?.output ?? 0 },
      }),
      event("message_stop", {}),
    ]),
  }
}

function blockOf(part: AnswerPart, index: number): readonly string[] {
  if ("error" in part) return [event("error", { error: part.error })]
  const { start, deltas } = contentOf(part)
  return [
    event("content_block_start", { index, content_block: start }),
    ...(index === 0 ? [event("ping", {})] : []),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ]
}

function contentOf(part: Exclude<AnswerPart, { error: unknown }>): {
  readonly start: object
  readonly deltas: readonly object[]
} {
  if ("text" in part)
    return {
      start: { type: "text", text: "" },
      deltas: pieces(part.text).map((text) => ({ type: "text_delta", text })),
    }
  if ("reasoning" in part)
    return {
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(part.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: digest(part.reasoning) },
      ],
    }
  const { id, name } = part.call
  return {
    start: { type: "tool_use", id, name, input: {} },
    deltas: pieces(writtenInput(part.call)).map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    })),
  }
}
