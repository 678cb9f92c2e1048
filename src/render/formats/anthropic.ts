// Renders a prompt for Anthropic's Messages API: the head as `system` blocks, breakpoints as `cache_control`.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, SentPart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { conversationWriter } from "./conversation.ts"
import { outputLimit } from "./output-limit.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  bareModel,
  callInput,
  isTail,
  marksOf,
  type RenderOptions,
  sentParts,
  type ToolSchema,
  tailFormFor,
  toolsWriter,
} from "./renderer.ts"

/** Anthropic's mark that the prefix up to here is cached. */
export interface CacheControl {
  readonly type: "ephemeral"
  readonly ttl?: "5m" | "1h"
}

/** A text block for Anthropic. */
export interface AnthropicText {
  readonly type: "text"
  readonly text: string
  readonly cache_control?: CacheControl
}

/** A content block of a message for Anthropic. */
export type AnthropicContent = { readonly cache_control?: CacheControl } & (
  | AnthropicText
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: "tool_result"
      readonly tool_use_id: string
      readonly content: string
      readonly is_error?: true
    }
)

/**
 * A message for Anthropic. The `system` role is only for models that accept it, between a user message and an answer.
 */
export type AnthropicMessage =
  | { readonly role: "user"; readonly content: AnthropicContent[] }
  | { readonly role: "assistant"; readonly content: AnthropicContent[] }
  | { readonly role: "system"; readonly content: AnthropicText[] }

/** What `messages.create` of Anthropic's SDK takes. */
export interface AnthropicRequest {
  readonly model: string
  readonly max_tokens: number
  readonly tools?: AnthropicTool[]
  readonly system?: AnthropicText[]
  readonly messages: AnthropicMessage[]
}

/** A tool definition for Anthropic. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: ToolSchema
}

/** The API requires a limit, even for an unknown model. */
const MAX_TOKENS = 4096

/** Writes the request for Anthropic's Messages API. */
export function renderAnthropic(
  prompt: Prompt,
  messages: readonly Message[],
  options: RenderOptions,
): Rendered<AnthropicRequest> {
  const form = tailFormFor(prompt, options)
  const marks = marksOf(prompt, messages, { ...options, form, mark: cacheControl })
  const tools = writeTools(prompt)
  const system = prompt.head.map((block, at) => textBlock(block.text, marks.head(at)))
  const { items, tail } = writeConversation({ prompt, messages, marks, form })
  return {
    request: wellFormed({
      model: bareModel(options.model, "anthropic"),
      max_tokens: options.maxTokens ?? outputLimit(options.model) ?? MAX_TOKENS,
      ...(tools.length > 0 && { tools }),
      ...(system.length > 0 && { system }),
      messages: items,
    }),
    places: placesOf(prompt, {
      head: (block) => ({ pointer: `/system/${block}/text`, offset: 0 }),
      tail,
      tool: (index) => `/tools/${index}/name`,
    }),
  }
}

const writeTools = toolsWriter(
  ({ name, description }, input_schema): AnthropicTool => ({ name, description, input_schema }),
)

function textBlock(text: string, cache_control: CacheControl | undefined): AnthropicText {
  return cache_control ? { type: "text", text, cache_control } : { type: "text", text }
}

/** Five minutes is the API's default, so it is omitted. */
function cacheControl(ttl: string): CacheControl {
  return ttl === "1h" ? { type: "ephemeral", ttl } : { type: "ephemeral" }
}

const writeConversation = conversationWriter<AnthropicMessage, CacheControl>(
  "/messages",
  (message, marks) => {
    const content: AnthropicContent[] = []
    const tails = new Map<number, { item: number; pointer: string; offset: number }>()
    for (const [at, part] of sentParts(message)) {
      if (isTail(part)) tails.set(at, { item: 0, pointer: `/content/${content.length}/text`, offset: 0 })
      const cache_control = marks(at)
      content.push(cache_control ? { ...renderPart(part), cache_control } : renderPart(part))
    }
    return { items: content.length > 0 ? [{ role: message.role, content }] : [], tails }
  },
  (text, mark) => ({
    item: { role: "system", content: [textBlock(text, mark)] },
    pointer: "/content/0/text",
  }),
)

function renderPart(part: SentPart): AnthropicContent {
  if (part.kind === "text") return { type: "text", text: part.text }
  if (part.kind === "tool-call")
    return { type: "tool_use", id: part.id, name: part.name, input: callInput(part) }
  const result = { type: "tool_result", tool_use_id: part.id, content: part.text } as const
  return part.isError ? { ...result, is_error: true } : result
}
