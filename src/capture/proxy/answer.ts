// What an answer says of itself: its id, its model and the tokens it used, from a whole body or from the events of a
// stream, for each provider's format.
import { isList, isObject, type Json, type JsonObject } from "../../record/write/request-marks.ts"
import type { Usage } from "../../render/cache/price.ts"
import type { Format } from "../call.ts"
import { anthropicAnswer } from "../clients/anthropic-answer.ts"
import { anthropicUsage } from "../clients/anthropic-usage.ts"
import { objectAt, textAt, tokensAt, written } from "../clients/row-fields.ts"

export interface Answer {
  readonly id: string
  readonly model: string
  readonly usage: Usage
}

/** `asked`: the model of the request, for answers that name none. Returns undefined if it does not say what it used. */
export function answerIn(body: string, format: Format, asked: string): Answer | undefined {
  if (format === "anthropic") return messageAnswer(body, asked)
  const values = valuesIn(body)
  if (format === "google") return googleAnswer(values, asked)
  return format === "openai-responses" ? responsesAnswer(values, asked) : chatAnswer(values, asked)
}

/** The body, its items, or the data of its events. */
function valuesIn(body: string): readonly JsonObject[] {
  const whole = parsed(body)
  if (isList(whole)) return whole.filter(isObject)
  if (isObject(whole)) return [whole]
  return body
    .split(/\r?\n\r?\n/)
    .map((event) => parsed(dataOf(event)))
    .filter(isObject)
}

function dataOf(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
  return lines.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n")
}

function parsed(text: string): Json | undefined {
  try {
    // JSON has no other values.
    return text === "" ? undefined : (JSON.parse(text) as Json)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function messageAnswer(body: string, asked: string): Answer | undefined {
  const message = anthropicAnswer(body)
  const id = message && textAt(message, "id")
  const usage = anthropicUsage(message?.usage)
  if (message === undefined || id === undefined || usage === undefined) return undefined
  return { id, model: textAt(message, "model") ?? asked, usage }
}

const ENDS: ReadonlySet<Json | undefined> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
])

function responsesAnswer(values: readonly JsonObject[], asked: string): Answer | undefined {
  const end = values.findLast(({ type }) => ENDS.has(type))
  const response = end ? objectAt(end, "response") : values.find(({ object }) => object === "response")
  const id = response && textAt(response, "id")
  if (response === undefined || id === undefined || !isObject(response.usage)) return undefined
  const { usage } = response
  const details = objectAt(usage, "input_tokens_details")
  const model = textAt(response, "model") ?? asked
  const input = tokensAt(usage, "input_tokens")
  return { id, model, usage: usageOf(model, { input, details, output: tokensAt(usage, "output_tokens") }) }
}

function chatAnswer(values: readonly JsonObject[], asked: string): Answer | undefined {
  const last = values.findLast(({ usage }) => isObject(usage))
  const id = values.map((value) => textAt(value, "id")).find((one) => one !== undefined)
  if (last === undefined || id === undefined) return undefined
  const usage = objectAt(last, "usage")
  const details = objectAt(usage, "prompt_tokens_details")
  const model = textAt(last, "model") ?? asked
  const input = tokensAt(usage, "prompt_tokens")
  return {
    id,
    model,
    usage: usageOf(model, { input, details, output: tokensAt(usage, "completion_tokens") }),
  }
}

interface Counted {
  /** With what was read and written. */
  readonly input: number
  readonly details: JsonObject
  readonly output: number
}

function usageOf(model: string, { input, details, output }: Counted): Usage {
  const read = Math.min(tokensAt(details, "cached_tokens"), input)
  const wrote = Math.min(tokensAt(details, "cache_write_tokens"), input - read)
  return { uncached: input - read - wrote, read, write: written(model, wrote), output }
}

function googleAnswer(values: readonly JsonObject[], asked: string): Answer | undefined {
  const last = values.findLast(({ usageMetadata }) => isObject(usageMetadata))
  const id = values.map((value) => textAt(value, "responseId")).find((one) => one !== undefined)
  if (last === undefined || id === undefined) return undefined
  const usage = objectAt(last, "usageMetadata")
  const input = tokensAt(usage, "promptTokenCount") + tokensAt(usage, "toolUsePromptTokenCount")
  const read = Math.min(tokensAt(usage, "cachedContentTokenCount"), input)
  const output = tokensAt(usage, "candidatesTokenCount") + tokensAt(usage, "thoughtsTokenCount")
  return { id, model: asked, usage: { uncached: input - read, read, write: {}, output } }
}
