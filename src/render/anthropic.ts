// Renders a prompt for Anthropic's Messages API. Text goes where the plan put it; the plan's breakpoints become
// `cache_control`, and one more moves along with the conversation.
import type { Message, MessagePart } from "../core/message.ts"
import type { Block } from "../core/plan.ts"
import type { Prompt } from "../core/prompt.ts"
import type { Tool } from "../core/scope.ts"
import { type Place, placesOf, type Rendered } from "./place.ts"

export interface AnthropicOptions {
  readonly model: string
  readonly maxTokens: number
  /** How long the moving breakpoint keeps the conversation. Longer than the head's is refused by the API. */
  readonly ttl?: string
}

export interface CacheControl {
  readonly type: "ephemeral"
  readonly ttl?: string
}

export interface AnthropicText {
  readonly type: "text"
  readonly text: string
  readonly cache_control?: CacheControl
}

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

export interface AnthropicMessage {
  readonly role: "user" | "assistant"
  readonly content: readonly AnthropicContent[]
}

export interface AnthropicRequest {
  readonly model: string
  readonly max_tokens: number
  readonly tools?: readonly AnthropicTool[]
  readonly system?: readonly AnthropicText[]
  readonly messages: readonly AnthropicMessage[]
}

export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Tool["parameters"]
}

export function renderAnthropic(
  prompt: Prompt,
  messages: readonly Message[],
  options: AnthropicOptions,
): Rendered<AnthropicRequest> {
  const system = prompt.head.map(systemBlock)
  const sent = messages.map(renderMessage).filter(({ content }) => content.length > 0)
  return {
    request: {
      model: options.model.replace(/^anthropic\//, ""),
      max_tokens: options.maxTokens,
      ...(prompt.tools.length > 0 && { tools: prompt.tools.map(renderTool) }),
      ...(system.length > 0 && { system }),
      messages: markLast(sent, options.ttl ?? "5m"),
    },
    places: [
      ...prompt.head.flatMap((_block, at) => placesOf(prompt, at, `/system/${at}/text`)),
      ...tailPlaces(prompt, sent),
    ],
  }
}

function systemBlock({ text, breakpoint }: Block): AnthropicText {
  return breakpoint === undefined
    ? { type: "text", text }
    : { type: "text", text, cache_control: cacheControl(breakpoint.ttl) }
}

/** Five minutes is the API's default and is left unsaid. */
function cacheControl(ttl: string): CacheControl {
  return ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl }
}

function renderTool({ name, description, parameters }: Tool): AnthropicTool {
  return { name, description, input_schema: parameters }
}

/** The API refuses empty text, so an empty part is left out. */
function renderMessage({ role, parts }: Message): AnthropicMessage {
  return { role, content: parts.filter((part) => part.kind !== "text" || part.text !== "").map(renderPart) }
}

function renderPart(part: MessagePart): AnthropicContent {
  if (part.kind === "text") return { type: "text", text: part.text }
  if (part.kind === "tool-call") return { type: "tool_use", id: part.id, name: part.name, input: part.input }
  const result = { type: "tool_result", tool_use_id: part.id, content: part.text } as const
  return part.isError ? { ...result, is_error: true } : result
}

/** A later request reads the cache up to here, because this one wrote it. */
function markLast(messages: readonly AnthropicMessage[], ttl: string): readonly AnthropicMessage[] {
  const last = messages.at(-1)
  const part = last?.content.at(-1)
  if (last === undefined || part === undefined) return messages
  return messages.with(-1, {
    ...last,
    content: last.content.with(-1, { ...part, cache_control: cacheControl(ttl) }),
  })
}

function tailPlaces(prompt: Prompt, messages: readonly AnthropicMessage[]): readonly Place[] {
  const text = prompt.tail?.text
  if (text === undefined) return []
  // From the end: two turns within a minute may have the same tail.
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const part =
      messages[at]?.content.findIndex((candidate) => candidate.type === "text" && candidate.text === text) ??
      -1
    if (part !== -1) return placesOf(prompt, prompt.head.length, `/messages/${at}/content/${part}/text`)
  }
  return []
}
