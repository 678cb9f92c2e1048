// Renders a prompt for OpenAI's Responses API. The head is one developer message, because `instructions` cannot carry a
// breakpoint. Only input text can carry one, so a mark after an answer or a call is left out.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import type { Message, SentPart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { ruleFor } from "../cache/cache-rules.ts"
import { conversationWriter } from "./conversation.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  argumentsOf,
  bareModel,
  isTail,
  type KeyedOptions,
  type Marks,
  marksOf,
  type RenderOptions,
  sentParts,
  type ToolSchema,
  tailFormFor,
  toolsWriter,
} from "./renderer.ts"

/** OpenAI's mark that the prefix up to here is cached. */
export interface OpenAIBreakpoint {
  readonly mode: "explicit"
  readonly ttl?: "30m" | "12h"
}

/** A text in an input item of the Responses API. */
export interface ResponsesText {
  readonly type: "input_text"
  readonly text: string
  readonly prompt_cache_breakpoint?: OpenAIBreakpoint
}

/** An input item of the Responses API. */
export type ResponsesItem =
  | { readonly role: "developer" | "user"; readonly content: ResponsesText[] }
  | { readonly role: "assistant"; readonly content: string }
  | {
      readonly type: "function_call"
      readonly call_id: string
      readonly name: string
      readonly arguments: string
    }
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: ResponsesText[] | "" }

/** A tool definition of the Responses API. */
export interface ResponsesTool {
  readonly type: "function"
  readonly name: string
  readonly description: string
  readonly parameters: ToolSchema
  readonly strict: false
}

/** What `responses.create` of OpenAI's SDK takes. */
export interface ResponsesRequest {
  readonly model: string
  readonly tools?: ResponsesTool[]
  readonly input: ResponsesItem[]
  readonly max_output_tokens?: number
  readonly prompt_cache_key?: string
}

/** Writes the request for OpenAI's Responses API. */
export function renderResponses(
  prompt: Prompt,
  messages: readonly Message[],
  options: KeyedOptions,
): Rendered<ResponsesRequest> {
  const { model, maxTokens, cacheKey } = options
  const form = developerForm(prompt, options)
  const marks = marksOf(prompt, messages, { ...options, form, mark: openAIBreakpoint })
  const tools = writeTools(prompt)
  const { items, tail } = writeConversation({ prompt, messages, marks, form, lead: developer(prompt, marks) })
  return {
    request: wellFormed({
      model: bareModel(model, "openai"),
      ...(tools.length > 0 && { tools }),
      input: items,
      ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
      ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    }),
    places: placesOf(prompt, {
      head: (block) => ({ pointer: `/input/0/content/${block}/text`, offset: 0 }),
      tail,
      tool: (index) => `/tools/${index}/name`,
    }),
  }
}

/** Not strict: the schemas come from the host, and strict ones would have to be written for it. */
const writeTools = toolsWriter(
  ({ name, description }, parameters): ResponsesTool => ({
    type: "function",
    name,
    description,
    parameters,
    strict: false,
  }),
)

function developer({ head }: Prompt, marks: Marks<OpenAIBreakpoint>): readonly ResponsesItem[] {
  const content = head.map(({ text }, at) => inputText(text, marks.head(at)))
  return content.length > 0 ? [{ role: "developer", content }] : []
}

function inputText(text: string, mark: OpenAIBreakpoint | undefined): ResponsesText {
  return mark ? { type: "input_text", text, prompt_cache_breakpoint: mark } : { type: "input_text", text }
}

/** Claude models have their own rules for late system messages, which cannot be ensured through this protocol. */
export function developerForm(prompt: Prompt, options: RenderOptions): TailForm {
  const { lateSystem } = options.rule ?? ruleFor(options.model)
  return lateSystem === "allowed" ? tailFormFor(prompt, options) : "message"
}

/** Thirty minutes is the API's default, so it is omitted. */
export function openAIBreakpoint(ttl: string): OpenAIBreakpoint {
  return ttl === "12h" ? { mode: "explicit", ttl } : { mode: "explicit" }
}

const writeConversation = conversationWriter<ResponsesItem, OpenAIBreakpoint>(
  "/input",
  (message, marks) => {
    const items: ResponsesItem[] = []
    const tails = new Map<number, { item: number; pointer: string; offset: number }>()
    let texts: ResponsesText[] | undefined
    for (const [at, part] of sentParts(message)) {
      if (part.kind !== "text" || message.role === "assistant") {
        texts = undefined
        items.push(renderItem(part, marks(at)))
        continue
      }
      if (texts === undefined) {
        texts = []
        items.push({ role: "user", content: texts })
      }
      const pointer = `/content/${texts.length}/text`
      if (isTail(part)) tails.set(at, { item: items.length - 1, pointer, offset: 0 })
      texts.push(inputText(part.text, marks(at)))
    }
    return { items, tails }
  },
  (text, mark) => ({
    item: { role: "developer", content: [inputText(text, mark)] },
    pointer: "/content/0/text",
  }),
)

/** A result is a list even without a breakpoint, so that its form doesn't change when the breakpoint moves on. */
function renderItem(part: SentPart, mark: OpenAIBreakpoint | undefined): ResponsesItem {
  if (part.kind === "text") return { role: "assistant", content: part.text }
  if (part.kind === "tool-call") {
    const { id: call_id, name } = part
    return { type: "function_call", call_id, name, arguments: argumentsOf(part) }
  }
  const output = part.text === "" ? "" : [inputText(part.text, mark)]
  return { type: "function_call_output", call_id: part.id, output }
}
