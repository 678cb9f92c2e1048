// The answer of the chat completions API, whole or as a stream of chunks.
import { serverSent } from "../talk/event-stream.ts"
import type { LimitHit } from "../talk/limit-text.ts"
import type { TalkEvent } from "../talk/talk.ts"
import type { VisibleUsage } from "../talk/visible-usage.ts"
import type { ChatRequest } from "./chat-request.ts"
import { openAiError } from "./openai-error.ts"

interface ChatFacts {
  readonly turn: string
  /** Seconds since 1970. */
  readonly created: number
  readonly request: ChatRequest
}

export async function wholeChat(events: AsyncIterable<TalkEvent>, facts: ChatFacts): Promise<unknown> {
  let content = ""
  for await (const event of events) {
    if (event.kind === "text") content += event.text
    if (event.kind !== "ended") continue
    const message = { role: "assistant", content, refusal: null }
    const choice = { index: 0, message, logprobs: null, finish_reason: finishOf(event.hit) }
    return { ...base(facts, "chat.completion"), choices: [choice], usage: chatUsage(event.usage) }
  }
  throw new Error("the turn did not end")
}

export async function* chatChunks(
  events: AsyncIterable<TalkEvent>,
  facts: ChatFacts,
): AsyncGenerator<string, void> {
  const { withUsage } = facts.request
  const chunk = (delta: object, finish: string | null = null) =>
    serverSent({
      ...base(facts, "chat.completion.chunk"),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage && { usage: null }),
    })
  yield chunk({ role: "assistant", content: "", refusal: null })
  try {
    for await (const event of events) {
      if (event.kind === "text") yield chunk({ content: event.text })
      if (event.kind !== "ended") continue
      yield chunk({}, finishOf(event.hit))
      const usage = chatUsage(event.usage)
      if (withUsage) yield serverSent({ ...base(facts, "chat.completion.chunk"), choices: [], usage })
    }
  } catch (error) {
    yield serverSent(openAiError(error).body)
    return
  }
  yield serverSent("[DONE]")
}

function base({ turn, created, request }: ChatFacts, object: string) {
  return { id: `chatcmpl-${turn}`, object, created, model: request.model }
}

function finishOf(hit: LimitHit | undefined): string {
  return hit?.kind === "length" ? "length" : "stop"
}

function chatUsage({ uncached, cached, written, output }: VisibleUsage) {
  const input = uncached + cached + written
  return {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    prompt_tokens_details: { cached_tokens: cached },
  }
}
