// The objects of the responses API: a response, its message and its calls.
import type { ClientCall } from "../../database/contract/client-tools.ts"
import type { TalkRequest } from "../talk/request/talk-request.ts"
import type { TalkEnd } from "../talk/talk.ts"
import type { VisibleUsage } from "../talk/visible-usage.ts"

export interface ResponseFacts {
  readonly answer: string
  /** Seconds since 1970. */
  readonly created: number
  readonly request: TalkRequest
}

export function responseOf({ answer, created, request }: ResponseFacts, more: object) {
  const { instructions = null, maxTokens = null, previous, isOneCall } = request
  return {
    ...{ id: `resp_${answer}`, object: "response", created_at: created, model: request.model },
    ...{ error: null, incomplete_details: null, instructions, metadata: {} },
    ...{ max_output_tokens: maxTokens, parallel_tool_calls: !isOneCall, tool_choice: "auto" },
    previous_response_id: previous === undefined ? null : `resp_${previous}`,
    tools: request.tools.map((tool) => ({ type: "function", ...tool, strict: false })),
    ...{ temperature: null, top_p: null, store: true, truncation: "disabled", user: null },
    ...{
      text: { format: { type: "text" } },
      reasoning: { effort: request.effort ?? null, summary: null },
      usage: null,
    },
    ...more,
  }
}

export function endedResponse(facts: ResponseFacts, text: string, end: TalkEnd) {
  const status = statusOf(end)
  const message = messageItem(facts, status, [partOf(text)])
  const calls = end.calls.map((call, at) => callItem(facts, call, at))
  return responseOf(facts, {
    status,
    output: text === "" && calls.length > 0 ? calls : [message, ...calls],
    ...(status === "incomplete" && { incomplete_details: { reason: "max_output_tokens" } }),
    usage: responseUsage(end.usage),
  })
}

export function statusOf({ hit, calls }: TalkEnd): "completed" | "incomplete" {
  return hit?.kind === "length" && calls.length === 0 ? "incomplete" : "completed"
}

export function messageItem({ answer }: ResponseFacts, status: string, content: readonly object[]) {
  return { id: `msg_${answer}`, type: "message", role: "assistant", status, content }
}

export function callItem({ answer }: ResponseFacts, { id, name, input }: ClientCall, at: number) {
  return {
    ...{ id: `fc_${answer}_${at}`, type: "function_call", call_id: id },
    ...{ name, arguments: JSON.stringify(input), status: "completed" },
  }
}

export function partOf(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] }
}

function responseUsage({ uncached, cached, written, output }: VisibleUsage) {
  const input = uncached + cached + written
  return {
    ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
    input_tokens_details: { cached_tokens: cached },
    output_tokens_details: { reasoning_tokens: 0 },
  }
}
