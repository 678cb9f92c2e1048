// What an exporter gets about a call: the provider's name for its answer, the request and the response. Nothing is
// copied here; an exporter that sends no content reads none of it.
import type { Message } from "../../../core/model/message.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import type { Exchange } from "../../../record/write/event.ts"
import type { ModelAnswer } from "./call.ts"

interface Asked {
  readonly prompt: Pick<Prompt, "head">
  readonly messages: readonly Message[]
}

export function exchangeOf({ prompt, messages }: Asked, { response, parts }: Answer): Exchange {
  return {
    response,
    content: { system: prompt.head.map(({ text }) => text), input: messages, output: parts },
  }
}

type Answer = Pick<ModelAnswer, "response" | "parts">
