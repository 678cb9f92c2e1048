// The answer of the Messages API, whole or as a stream of named events.
import { serverSent } from "../talk/event-stream.ts"
import type { LimitHit } from "../talk/limit-text.ts"
import type { TalkEvent } from "../talk/talk.ts"
import type { TalkRequest } from "../talk/talk-request.ts"
import type { VisibleUsage } from "../talk/visible-usage.ts"
import { anthropicError } from "./anthropic-error.ts"

interface MessageFacts {
  readonly turn: string
  readonly request: TalkRequest
}

export async function wholeMessage(events: AsyncIterable<TalkEvent>, facts: MessageFacts): Promise<unknown> {
  let text = ""
  for await (const event of events) {
    if (event.kind === "text") text += event.text
    if (event.kind !== "ended") continue
    const content = text === "" ? [] : [textBlock(text)]
    return { ...base(facts), content, ...stopOf(event.hit), usage: messageUsage(event.usage) }
  }
  throw new Error("the turn did not end")
}

const NOTHING: VisibleUsage = { uncached: 0, cached: 0, written: 0, output: 0 }

export async function* messageEvents(
  events: AsyncIterable<TalkEvent>,
  facts: MessageFacts,
): AsyncGenerator<string, void> {
  const send = (type: string, data: object = {}) => serverSent({ type, ...data }, type)
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
      yield send("message_delta", { delta: stopOf(event.hit), usage: messageUsage(event.usage) })
      yield send("message_stop")
    }
  } catch (error) {
    yield serverSent(anthropicError(error).body, "error")
  }
}

function base({ turn, request }: MessageFacts) {
  return { id: `msg_${turn}`, type: "message", role: "assistant", model: request.model }
}

function textBlock(text: string) {
  return { type: "text", text, citations: null }
}

function stopOf(hit: LimitHit | undefined) {
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
