// A request of the Messages API.
import { isRecord } from "../../base/is-record.ts"
import { messagesIn } from "../openai/chat-request.ts"
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
import { readConversation, textOf } from "../talk/read-conversation.ts"
import { invalid } from "../talk/surface-error.ts"
import type { TalkRequest } from "../talk/talk-request.ts"

const USED = ["model", "messages", "system", "max_tokens", "stop_sequences", "stream", "metadata"]

/** Fields that would change what the answer is; all others are ignored and named in a header. */
export const MESSAGES_REFUSED: readonly Refused[] = [
  { field: "tools", why: "tools that the client runs are not supported; the agent uses its own" },
  { field: "mcp_servers", why: "mcp_servers are not supported; configure them for the agent" },
  { field: "container", why: "containers are not supported" },
  {
    field: "output_config",
    fine: (value) => !isRecord(value) || value.format === undefined || value.format === null,
    why: "output_config.format is not supported; ask for JSON in the message",
  },
]

/** `isCounted`: for counting tokens, which has no limit of the answer. */
export function readMessages(request: Request, body: Body, isCounted = false): TalkRequest {
  refuseFields(body, MESSAGES_REFUSED)
  const { instructions: within, earlier, message } = readConversation(messagesIn(body), "messages")
  const system = textOf(body.system, "system")
  const maxTokens = limitIn(body, "max_tokens")
  if (maxTokens === undefined && !isCounted) throw invalid("max_tokens", "max_tokens: Field required")
  return {
    ...{ model: modelIn(body), earlier, message, maxTokens, ...readHeaders(request) },
    instructions: [system, within ?? ""].filter((text) => text !== "").join("\n\n") || undefined,
    previous: undefined,
    stop: stopsIn(body, "stop_sequences"),
    isStreamed: flagIn(body, "stream"),
    ignored: ignoredFields(body, [...USED, ...MESSAGES_REFUSED.map(({ field }) => field)]),
  }
}
