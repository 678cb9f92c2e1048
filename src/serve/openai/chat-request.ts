// A request of the chat completions API.
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
  stopsIn,
} from "../talk/read-body.ts"
import { readConversation, type WireMessage } from "../talk/read-conversation.ts"
import { invalid } from "../talk/surface-error.ts"
import type { TalkRequest } from "../talk/talk-request.ts"

export interface ChatRequest extends TalkRequest {
  /** Whether a stream ends with the usage. */
  readonly withUsage: boolean
}

const USED = [
  ...["model", "messages", "stream", "stream_options", "stop", "max_tokens", "max_completion_tokens", "n"],
  ...["store", "user", "metadata"],
]

/** Fields that would change what the answer is; all others are ignored and named in a header. */
export const CHAT_REFUSED: readonly Refused[] = [
  { field: "n", fine: (value) => value === 1, why: "n must be 1: an agent gives one answer to a message" },
  { field: "tools", why: "tools that the client runs are not supported; the agent uses its own" },
  { field: "functions", why: "functions that the client runs are not supported; the agent uses its own" },
  { field: "audio", why: "audio answers are not supported" },
  {
    field: "modalities",
    fine: (value) => Array.isArray(value) && value.every((item) => item === "text"),
    why: 'modalities must be ["text"]',
  },
  { field: "logprobs", why: "logprobs are not supported: an answer may come from several calls" },
  {
    field: "response_format",
    fine: (value) => isRecord(value) && value.type === "text",
    why: 'response_format must be {"type": "text"}; ask for JSON in the message',
  },
]

export function readChat(request: Request, body: Body): ChatRequest {
  refuseFields(body, CHAT_REFUSED)
  const options = isRecord(body.stream_options) ? body.stream_options : {}
  return {
    ...{ model: modelIn(body), ...readConversation(messagesIn(body), "messages"), ...readHeaders(request) },
    previous: undefined,
    maxTokens: limitIn(body, "max_completion_tokens") ?? limitIn(body, "max_tokens"),
    stop: stopsIn(body, "stop"),
    isStreamed: flagIn(body, "stream"),
    withUsage: options.include_usage === true,
    ignored: ignoredFields(body, [...USED, ...CHAT_REFUSED.map(({ field }) => field)]),
  }
}

/** Also of the Messages API. */
export function messagesIn({ messages }: Body): readonly WireMessage[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid("messages", "messages must be a list with at least one message")
  return messages.map((message: unknown, at) => {
    if (isRecord(message) && typeof message.role === "string") return { ...message, role: message.role }
    throw invalid(`messages[${at}]`, `messages[${at}] must be an object with a role and content`)
  })
}
