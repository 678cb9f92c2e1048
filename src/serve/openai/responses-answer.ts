// The answer of the responses API, whole or as a stream of numbered events.
import { serverSent } from "../talk/event-stream.ts"
import type { LimitHit } from "../talk/limit-text.ts"
import type { TalkEvent } from "../talk/talk.ts"
import type { TalkRequest } from "../talk/talk-request.ts"
import type { VisibleUsage } from "../talk/visible-usage.ts"
import { openAiError } from "./openai-error.ts"

interface ResponseFacts {
  readonly turn: string
  /** Seconds since 1970. */
  readonly created: number
  readonly request: TalkRequest
}

type Ended = Extract<TalkEvent, { kind: "ended" }>

export async function wholeResponse(
  events: AsyncIterable<TalkEvent>,
  facts: ResponseFacts,
): Promise<unknown> {
  let text = ""
  for await (const event of events) {
    if (event.kind === "text") text += event.text
    if (event.kind === "ended") return endedResponse(facts, text, event)
  }
  throw new Error("the turn did not end")
}

export async function* responseEvents(
  events: AsyncIterable<TalkEvent>,
  facts: ResponseFacts,
): AsyncGenerator<string, void> {
  let number = 0
  const send = (type: string, data: object) => serverSent({ type, sequence_number: number++, ...data }, type)
  const begun = responseOf(facts, { status: "in_progress", output: [] })
  const place = { item_id: `msg_${facts.turn}`, output_index: 0, content_index: 0 }
  yield send("response.created", { response: begun })
  yield send("response.in_progress", { response: begun })
  yield send("response.output_item.added", { output_index: 0, item: itemOf(facts, "in_progress", []) })
  yield send("response.content_part.added", { ...place, part: partOf("") })
  let text = ""
  try {
    for await (const event of events) {
      if (event.kind === "text") {
        text += event.text
        yield send("response.output_text.delta", { ...place, delta: event.text, logprobs: [] })
      }
      if (event.kind !== "ended") continue
      yield send("response.output_text.done", { ...place, text, logprobs: [] })
      yield send("response.content_part.done", { ...place, part: partOf(text) })
      const item = itemOf(facts, statusOf(event.hit), [partOf(text)])
      yield send("response.output_item.done", { output_index: 0, item })
      yield send(`response.${statusOf(event.hit)}`, { response: endedResponse(facts, text, event) })
    }
  } catch (error) {
    const { message, code, param } = openAiError(error).body.error
    yield send("error", { code, message, param })
  }
}

function endedResponse(facts: ResponseFacts, text: string, { hit, usage }: Ended) {
  const status = statusOf(hit)
  return responseOf(facts, {
    status,
    output: [itemOf(facts, status, [partOf(text)])],
    ...(status === "incomplete" && { incomplete_details: { reason: "max_output_tokens" } }),
    usage: responseUsage(usage),
  })
}

function statusOf(hit: LimitHit | undefined): "completed" | "incomplete" {
  return hit?.kind === "length" ? "incomplete" : "completed"
}

function responseOf({ turn, created, request }: ResponseFacts, more: object) {
  return {
    ...{ id: `resp_${turn}`, object: "response", created_at: created, model: request.model },
    ...{ error: null, incomplete_details: null, instructions: request.instructions ?? null, metadata: {} },
    ...{ max_output_tokens: request.maxTokens ?? null, parallel_tool_calls: true, tool_choice: "auto" },
    previous_response_id: request.previous === undefined ? null : `resp_${request.previous}`,
    ...{ tools: [], temperature: null, top_p: null, store: true, truncation: "disabled", user: null },
    ...{ text: { format: { type: "text" } }, reasoning: { effort: null, summary: null }, usage: null },
    ...more,
  }
}

function itemOf({ turn }: ResponseFacts, status: string, content: readonly object[]) {
  return { id: `msg_${turn}`, type: "message", role: "assistant", status, content }
}

function partOf(text: string) {
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
