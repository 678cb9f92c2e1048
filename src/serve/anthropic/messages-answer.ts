// The answer of the Messages API, whole or as a stream of named events.
import type { ClientCall } from "../../database/contract/client-tools.ts"
import { serverSent } from "../talk/event-stream.ts"
import type { TalkRequest } from "../talk/request/talk-request.ts"
import type { TalkEnd, TalkEvent } from "../talk/talk.ts"
import type { VisibleUsage } from "../talk/visible-usage.ts"
import { anthropicError } from "./anthropic-error.ts"

interface MessageFacts {
  readonly answer: string
  readonly request: TalkRequest
}

export async function wholeMessage(events: AsyncIterable<TalkEvent>, facts: MessageFacts): Promise<unknown> {
  let text = ""
  for await (const event of events) {
    if (event.kind === "text") text += event.text
    if (event.kind !== "ended") continue
    const content = [...(text === "" ? [] : [textBlock(text)]), ...event.calls.map(callBlock)]
    return { ...base(facts), content, ...stopOf(event), usage: messageUsage(event.usage) }
  }
  throw new Error("the turn did not end")
}

const NOTHING: VisibleUsage = { uncached: 0, cached: 0, written: 0, output: 0 }

export async function* messageEvents(
  events: AsyncIterable<TalkEvent>,
  facts: MessageFacts,
): AsyncGenerator<string, void> {
  const stop = { stop_reason: null, stop_sequence: null }
  // The counts are known at the end, and sent with `message_delta`.
  const message = { ...base(facts), content: [], ...stop, usage: messageUsage(NOTHING) }
  yield send("message_start", { message })
  let isOpen = false
  try {
    for await (const event of events) {
      if (event.kind === "text" && !isOpen)
        yield send("content_block_start", { index: 0, content_block: textBlock("") })
      isOpen ||= event.kind === "text"
      if (event.kind === "text")
        yield send("content_block_delta", { index: 0, delta: { type: "text_delta", text: event.text } })
      if (event.kind !== "ended") continue
      if (isOpen) yield send("content_block_stop", { index: 0 })
      yield* callEvents(event, isOpen ? 1 : 0)
      yield send("message_delta", { delta: stopOf(event), usage: messageUsage(event.usage) })
      yield send("message_stop")
    }
  } catch (error) {
    yield serverSent(anthropicError(error).body, "error")
  }
}

function send(type: string, data: object = {}): string {
  return serverSent({ type, ...data }, type)
}

/** Its name first, then its input. */
function* callEvents({ calls }: TalkEnd, first: number) {
  for (const [at, call] of calls.entries()) {
    const index = first + at
    yield send("content_block_start", { index, content_block: { ...callBlock(call), input: {} } })
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
    yield send("content_block_delta", { index, delta })
    yield send("content_block_stop", { index })
  }
}

function base({ answer, request }: MessageFacts) {
  return { id: `msg_${answer}`, type: "message", role: "assistant", model: request.model }
}

function textBlock(text: string) {
  return { type: "text", text, citations: null }
}

function callBlock({ id, name, input }: ClientCall) {
  return { type: "tool_use", id, name, input, caller: { type: "direct" } }
}

function stopOf({ hit, calls }: TalkEnd) {
  if (calls.length > 0) return { stop_reason: "tool_use", stop_sequence: null }
  if (hit?.kind === "length") return { stop_reason: "max_tokens", stop_sequence: null }
  if (hit?.kind === "stop-sequence") return { stop_reason: "stop_sequence", stop_sequence: hit.sequence }
  return { stop_reason: "end_turn", stop_sequence: null }
}

function messageUsage({ uncached, cached, written, output }: VisibleUsage) {
  return {
    ...{ input_tokens: uncached, output_tokens: output },
    ...{ cache_read_input_tokens: cached, cache_creation_input_tokens: written },
  }
}
