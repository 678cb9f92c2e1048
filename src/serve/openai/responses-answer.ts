// The answer of the responses API, whole or as a stream of numbered events.

import { serverSent } from "../talk/event-stream.ts"
import type { TalkEnd, TalkEvent } from "../talk/talk.ts"
import { openAiError } from "./openai-error.ts"
import {
  callItem,
  endedResponse,
  messageItem,
  partOf,
  type ResponseFacts,
  responseOf,
  statusOf,
} from "./response-object.ts"

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

type Send = (type: string, data: object) => string

export async function* responseEvents(
  events: AsyncIterable<TalkEvent>,
  facts: ResponseFacts,
): AsyncGenerator<string, void> {
  let number = 0
  const send: Send = (type, data) => serverSent({ type, sequence_number: number++, ...data }, type)
  const begun = responseOf(facts, { status: "in_progress", output: [] })
  yield send("response.created", { response: begun })
  yield send("response.in_progress", { response: begun })
  let text = ""
  try {
    for await (const event of events) {
      // An answer of calls alone has no message.
      const isFirst =
        text === "" && (event.kind === "text" || (event.kind === "ended" && event.calls.length === 0))
      if (isFirst) yield* messageBegins(send, facts)
      if (event.kind === "text") {
        text += event.text
        yield send("response.output_text.delta", { ...inMessage(facts), delta: event.text, logprobs: [] })
      }
      if (event.kind !== "ended") continue
      if (text !== "" || isFirst) yield* messageEnds(send, facts, text, event)
      yield* callEvents(send, facts, text, event)
      yield send(`response.${statusOf(event)}`, { response: endedResponse(facts, text, event) })
    }
  } catch (error) {
    const { message, code, param } = openAiError(error).body.error
    yield send("error", { code, message, param })
  }
}

/** The message is always the first item. */
function inMessage({ answer }: ResponseFacts) {
  return { item_id: `msg_${answer}`, output_index: 0, content_index: 0 }
}

function* messageBegins(send: Send, facts: ResponseFacts) {
  yield send("response.output_item.added", { output_index: 0, item: messageItem(facts, "in_progress", []) })
  yield send("response.content_part.added", { ...inMessage(facts), part: partOf("") })
}

function* messageEnds(send: Send, facts: ResponseFacts, text: string, end: TalkEnd) {
  yield send("response.output_text.done", { ...inMessage(facts), text, logprobs: [] })
  yield send("response.content_part.done", { ...inMessage(facts), part: partOf(text) })
  const item = messageItem(facts, statusOf(end), [partOf(text)])
  yield send("response.output_item.done", { output_index: 0, item })
}

function* callEvents(send: Send, facts: ResponseFacts, text: string, { calls }: TalkEnd) {
  for (const [at, call] of calls.entries()) {
    const item = callItem(facts, call, at)
    const place = { item_id: item.id, output_index: at + (text === "" ? 0 : 1) }
    const { output_index } = place
    yield send("response.output_item.added", {
      output_index,
      item: { ...item, arguments: "", status: "in_progress" },
    })
    yield send("response.function_call_arguments.delta", { ...place, delta: item.arguments })
    yield send("response.function_call_arguments.done", {
      ...{ ...place, name: call.name, arguments: item.arguments },
    })
    yield send("response.output_item.done", { output_index, item })
  }
}
