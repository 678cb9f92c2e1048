// Renders a prompt for Anthropic's Messages API: the head as `system` blocks, breakpoints as `cache_control`.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { checkGiven } from "./check.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { asItCame, listSaying, nativeOf, ownParts } from "./native.ts"
import { outputLimit } from "./output-limit.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  bareModel,
  cacheDiagnostics,
  callInput,
  isTail,
  marksOf,
  type PartMarks,
  type RenderOptions,
  type ToolSchema,
  tailFormFor,
  toolsWriter,
  writtenParts,
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

/** Reasoning of an answer. The API checks the signature, and cannot cache after it. */
export type AnthropicThinking =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }

/** A content block of a message for Anthropic. */
export type AnthropicContent = { readonly cache_control?: CacheControl } & (
  | AnthropicText
  | AnthropicThinking
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
  checkGiven(prompt, messages, options)
  const { messages: own, diagnostics } = ownMessages(messages)
  const form = tailFormFor(prompt, options)
  const marks = marksOf(prompt, own, { ...options, form, mark: cacheControl })
  const tools = writeTools(prompt)
  const system = prompt.head.map((block, at) => textBlock(block.text, marks.head(at)))
  const { items, tail } = writeConversation({ prompt, messages: own, marks, form })
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
    diagnostics: [...diagnostics, ...cacheDiagnostics(options)],
  }
}

const ownMessages = ownParts("anthropic")

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
  writeMessage,
  (text, mark) => ({
    item: { role: "system", content: [textBlock(text, mark)] },
    pointer: "/content/0/text",
  }),
)

function writeMessage(message: Message, marks: PartMarks<CacheControl>): WrittenMessage<AnthropicMessage> {
  const items: AnthropicMessage[] = []
  const tails = new Map<number, { item: number; pointer: string; offset: number }>()
  let content: AnthropicContent[] | undefined
  for (const [at, part] of writtenParts(message)) {
    if (part.kind === "native" && part.value.role !== undefined) {
      // A system message of the host.
      items.push(asItCame<AnthropicMessage>(part))
      content = undefined
      continue
    }
    const block = renderPart(part)
    if (block === undefined) continue
    if (content === undefined) {
      content = []
      items.push({ role: message.role, content })
    }
    const pointer = `/content/${content.length}/text`
    if (isTail(part)) tails.set(at, { item: items.length - 1, pointer, offset: 0 })
    const cache_control = marks(at)
    content.push(cache_control ? { ...block, cache_control } : block)
  }
  return { items, tails }
}

/** Returns undefined for reasoning of another provider. */
function renderPart(part: MessagePart): AnthropicContent | undefined {
  if (part.kind === "native") return asItCame<AnthropicContent>(part)
  if (part.kind === "reasoning") return thinking(part)
  const rest = nativeOf(part, "anthropic")
  if (part.kind === "text") return { ...rest, type: "text", text: part.text }
  if (part.kind === "tool-call")
    return { ...rest, type: "tool_use", id: part.id, name: part.name, input: callInput(part) }
  const { content: list, ...fields } = rest
  // The list came from the API too.
  const content = (listSaying(part.text, list) as string | undefined) ?? part.text
  const result = { ...fields, type: "tool_result", tool_use_id: part.id, content } as const
  return part.isError ? { ...result, is_error: true } : result
}

/**
 * The API wants all reasoning of a turn with tool calls back, and decides itself which of the rest it still needs. Without
 * a signature it refuses it.
 */
function thinking({
  text,
  data,
}: Extract<MessagePart, { kind: "reasoning" }>): AnthropicThinking | undefined {
  const { signature, redactedData } = data?.anthropic ?? {}
  if (typeof signature === "string") return { type: "thinking", thinking: text, signature }
  return typeof redactedData === "string" ? { type: "redacted_thinking", data: redactedData } : undefined
}
