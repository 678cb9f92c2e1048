// A request of the chat completions API.
import { isRecord } from "../../base/is-record.ts"
import { checkFields, ignoredFields } from "../talk/request/fields.ts"
import {
  type Body,
  effortIn,
  flagIn,
  limitIn,
  modelIn,
  readHeaders,
  stopsIn,
} from "../talk/request/read-body.ts"
import { messagesIn, readConversation, type WireMessage } from "../talk/request/read-conversation.ts"
import { readArguments } from "../talk/request/read-parts.ts"
import { offersTools, toolsIn } from "../talk/request/read-tools.ts"
import type { TalkRequest } from "../talk/request/talk-request.ts"
import { invalid } from "../talk/surface-error.ts"
import { CHAT_FIELDS } from "./chat-fields.ts"

export interface ChatRequest extends TalkRequest {
  /** Whether a stream ends with the usage. */
  readonly withUsage: boolean
}

export function readChat(request: Request, body: Body): ChatRequest {
  checkFields(body, CHAT_FIELDS)
  const options = isRecord(body.stream_options) ? body.stream_options : {}
  const tools = toolsIn(body, functionIn)
  return {
    ...{ model: modelIn(body), ...readConversation(chatMessages(body), "messages"), ...readHeaders(request) },
    previous: undefined,
    isThread: false,
    tools: offersTools(body) ? tools : [],
    isOneCall: body.parallel_tool_calls === false,
    effort: effortIn(body.reasoning_effort, "reasoning_effort"),
    maxTokens: limitIn(body, "max_completion_tokens") ?? limitIn(body, "max_tokens"),
    stop: stopsIn(body, "stop"),
    isStreamed: flagIn(body, "stream"),
    withUsage: options.include_usage === true,
    ignored: ignoredFields(body, CHAT_FIELDS),
  }
}

function functionIn({ type, function: wanted }: Body): Body | undefined {
  return type === "function" && isRecord(wanted) ? wanted : undefined
}

/** With calls and results as parts of the content. */
function chatMessages(body: Body): readonly WireMessage[] {
  return messagesIn(body).map((message, at) => {
    const place = `messages[${at}]`
    const { role, content, tool_calls: calls, tool_call_id: id } = message
    if (role === "tool") return { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] }
    if (role !== "assistant" || !Array.isArray(calls)) return message
    const text = typeof content === "string" ? [{ type: "text", text: content }] : content
    const said: readonly unknown[] = Array.isArray(text) ? text : []
    return { role, content: [...said, ...calls.map((call: unknown) => callPart(call, place))] }
  })
}

function callPart(call: unknown, place: string) {
  const { id, function: called } = isRecord(call) ? call : {}
  if (!isRecord(called)) throw invalid(place, `${place}: calls must be of functions`)
  return { type: "tool_use", id, name: called.name, input: readArguments(called.arguments, place) }
}
