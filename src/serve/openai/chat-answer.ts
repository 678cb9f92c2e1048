// The answer of the chat completions API, whole or as a stream of chunks.
import type { ClientCall } from "../../database/contract/client-tools.ts"
import { serverSent } from "../talk/event-stream.ts"
import type { TalkEnd, TalkEvent } from "../talk/talk.ts"
import type { VisibleUsage } from "../talk/visible-usage.ts"
import type { ChatRequest } from "./chat-request.ts"
import { openAiError } from "./openai-error.ts"

interface ChatFacts {
  readonly answer: string
  /** Seconds since 1970. */
  readonly created: number
  readonly request: ChatRequest
}

export async function wholeChat(events: AsyncIterable<TalkEvent>, facts: ChatFacts): Promise<unknown> {
  let text = ""
  for await (const event of events) {
    if (event.kind === "text") text += event.text
    if (event.kind !== "ended") continue
    const choice = {
      index: 0,
      message: messageOf(text, event),
      logprobs: null,
      finish_reason: finishOf(event),
    }
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
      for (const [index, call] of event.calls.entries())
        for (const delta of callDeltas(call)) yield chunk({ tool_calls: [{ index, ...delta }] })
      yield chunk({}, finishOf(event))
      const usage = chatUsage(event.usage)
      if (withUsage) yield serverSent({ ...base(facts, "chat.completion.chunk"), choices: [], usage })
    }
  } catch (error) {
    yield serverSent(openAiError(error).body)
    return
  }
  yield serverSent("[DONE]")
}

/** Its name first, then its arguments. */
function callDeltas({ id, name, input }: ClientCall): readonly object[] {
  return [
    { id, type: "function", function: { name, arguments: "" } },
    { function: { arguments: JSON.stringify(input) } },
  ]
}

function messageOf(text: string, { calls }: TalkEnd) {
  const content = text === "" && calls.length > 0 ? null : text
  const called = calls.map(({ id, name, input }) => ({
    ...{ id, type: "function", function: { name, arguments: JSON.stringify(input) } },
  }))
  return { role: "assistant", content, refusal: null, ...(called.length > 0 && { tool_calls: called }) }
}

function base({ answer, created, request }: ChatFacts, object: string) {
  return { id: `chatcmpl-${answer}`, object, created, model: request.model }
}

function finishOf({ hit, calls }: TalkEnd): string {
  if (calls.length > 0) return "tool_calls"
  return hit?.kind === "length" ? "length" : "stop"
}

function chatUsage({ uncached, cached, written, output }: VisibleUsage) {
  const input = uncached + cached + written
  return {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    prompt_tokens_details: { cached_tokens: cached },
  }
}
