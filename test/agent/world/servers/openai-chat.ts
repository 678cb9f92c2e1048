// The Chat Completions protocol as local servers speak it: nameless chunks, one leading system message,
// no key, and usage only for those who ask for it.
import {
  type Answer,
  type AnswerPart,
  endOf,
  hasCall,
  type Protocol,
  pieces,
  type Written,
  writtenInput,
} from "./protocol.ts"
import { type Json, refuseCompatible } from "./refusals.ts"

export const openaiChat: Protocol = {
  path: /^\/v1\/chat\/completions$/,
  contentType: "text/event-stream",
  refuse: refuseCompatible,
  write,
  problem: (_status, message) => ({ error: { message, type: "api_error", param: null, code: null } }),
  env: (url) => ({ OLLAMA_HOST: url }),
}

function write(answer: Answer): Written {
  const { number, model, isCut } = answer
  // As the request says it; other protocols always report.
  const { stream_options: asked }: Json = answer.body
  const base = { id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1, model }
  const chunk = (delta: object, finish_reason: string | null = null) =>
    data({ ...base, choices: [{ index: 0, delta, finish_reason }] })
  const stop = isCut ? "length" : hasCall(answer) ? "tool_calls" : "stop"
  const usage = asked?.include_usage ? usageOf(answer) : undefined
  return {
    start: [chunk({ role: "assistant", content: "" })],
    parts: answer.parts.map((part, at) => {
      if ("error" in part) return [data({ error: { ...part.error, param: null, code: null } })]
      const index = answer.parts.slice(0, at).filter((before) => "call" in before).length
      return deltasOf(part, index).map((delta) => chunk(delta))
    }),
    end: endOf(answer, [
      chunk({}, stop),
      ...(usage ? [data({ ...base, choices: [], usage })] : []),
      "data: [DONE]\n\n",
    ]),
  }
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function usageOf({ usage }: Answer): object | undefined {
  if (usage === undefined) return undefined
  const prompt = usage.uncached + usage.read
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    ...(usage.read > 0 && { prompt_tokens_details: { cached_tokens: usage.read } }),
  }
}

function deltasOf(part: Exclude<AnswerPart, { error: unknown }>, index: number): readonly object[] {
  if ("text" in part) return pieces(part.text).map((content) => ({ content }))
  if ("reasoning" in part) return pieces(part.reasoning).map((reasoning) => ({ reasoning }))
  const { id, name } = part.call
  const opening = { index, id, type: "function", function: { name, arguments: "" } }
  return [
    { tool_calls: [opening] },
    ...pieces(writtenInput(part.call)).map((text) => ({
      tool_calls: [{ index, function: { arguments: text } }],
    })),
  ]
}
