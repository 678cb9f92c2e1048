// Renders a prompt for OpenAI's Chat Completions API. The head is one developer message. Only text parts can carry
// breakpoints, so a mark after a call is left out. For other servers with this protocol, see text.ts.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { developerForm, type OpenAIBreakpoint, openAIBreakpoint } from "./openai-responses.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  argumentsOf,
  bareModel,
  isTail,
  type KeyedOptions,
  type Marks,
  marksOf,
  type PartMarks,
  sentParts,
  type ToolSchema,
  toolsWriter,
} from "./renderer.ts"

/** A text in a message of the Chat Completions API. */
export interface ChatText {
  readonly type: "text"
  readonly text: string
  readonly prompt_cache_breakpoint?: OpenAIBreakpoint
}

/** A tool call in a message of the Chat Completions API. */
export interface ChatCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message of the Chat Completions API. */
export type ChatMessage =
  | { readonly role: "developer" | "user"; readonly content: ChatText[] }
  | { readonly role: "assistant"; readonly content?: ChatText[]; readonly tool_calls?: ChatCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: ChatText[] | "" }

/** A tool definition of the Chat Completions API. */
export interface ChatTool {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: ToolSchema
  }
}

/** What `chat.completions.create` of OpenAI's SDK takes. */
export interface ChatRequest {
  readonly model: string
  readonly tools?: ChatTool[]
  readonly messages: ChatMessage[]
  readonly max_completion_tokens?: number
  readonly prompt_cache_key?: string
}

/** Writes the request for OpenAI's Chat Completions API. */
export function renderChat(
  prompt: Prompt,
  messages: readonly Message[],
  options: KeyedOptions,
): Rendered<ChatRequest> {
  const { model, maxTokens, cacheKey } = options
  const form = developerForm(prompt, options)
  const marks = marksOf(prompt, messages, { ...options, form, mark: openAIBreakpoint })
  const tools = writeChatTools(prompt)
  const { items, tail } = writeConversation({ prompt, messages, marks, form, lead: developer(prompt, marks) })
  return {
    request: wellFormed({
      model: bareModel(model, "openai"),
      ...(tools.length > 0 && { tools }),
      messages: items,
      ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
      ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    }),
    places: placesOf(prompt, {
      head: (block) => ({ pointer: `/messages/0/content/${block}/text`, offset: 0 }),
      tail,
      tool: (index) => `/tools/${index}/function/name`,
    }),
  }
}

export const writeChatTools = toolsWriter(
  ({ name, description }, parameters): ChatTool => ({
    type: "function",
    function: { name, description, parameters },
  }),
)

export function chatCall(part: Extract<MessagePart, { kind: "tool-call" }>): ChatCall {
  return { id: part.id, type: "function", function: { name: part.name, arguments: argumentsOf(part) } }
}

function developer({ head }: Prompt, marks: Marks<OpenAIBreakpoint>): readonly ChatMessage[] {
  const content = head.map(({ text }, at) => chatText(text, marks.head(at)))
  return content.length > 0 ? [{ role: "developer", content }] : []
}

function chatText(text: string, mark: OpenAIBreakpoint | undefined): ChatText {
  return mark ? { type: "text", text, prompt_cache_breakpoint: mark } : { type: "text", text }
}

const writeConversation = conversationWriter<ChatMessage, OpenAIBreakpoint>(
  "/messages",
  (message, marks) =>
    message.role === "assistant" ? writeAnswer(message, marks) : writeUser(message, marks),
  (text, mark) => ({
    item: { role: "developer", content: [chatText(text, mark)] },
    pointer: "/content/0/text",
  }),
)

/** Calls are a field next to the text, so one answer stays one message. */
function writeAnswer(message: Message, marks: PartMarks<OpenAIBreakpoint>): WrittenMessage<ChatMessage> {
  const content: ChatText[] = []
  const tool_calls: ChatCall[] = []
  for (const [at, part] of sentParts(message)) {
    if (part.kind === "text") content.push(chatText(part.text, marks(at)))
    if (part.kind === "tool-call") tool_calls.push(chatCall(part))
  }
  const answer = {
    role: "assistant",
    ...(content.length > 0 && { content }),
    ...(tool_calls.length > 0 && { tool_calls }),
  } as const
  return { items: content.length + tool_calls.length > 0 ? [answer] : [], tails: new Map() }
}

/** Each result is a separate message; text after them is the next one. */
function writeUser(message: Message, marks: PartMarks<OpenAIBreakpoint>): WrittenMessage<ChatMessage> {
  const items: ChatMessage[] = []
  const tails = new Map<number, { item: number; pointer: string; offset: number }>()
  let texts: ChatText[] | undefined
  for (const [at, part] of sentParts(message)) {
    if (part.kind === "tool-result") {
      texts = undefined
      const content = part.text === "" ? "" : [chatText(part.text, marks(at))]
      items.push({ role: "tool", tool_call_id: part.id, content })
    }
    if (part.kind !== "text") continue
    if (texts === undefined) {
      texts = []
      items.push({ role: "user", content: texts })
    }
    const pointer = `/content/${texts.length}/text`
    if (isTail(part)) tails.set(at, { item: items.length - 1, pointer, offset: 0 })
    texts.push(chatText(part.text, marks(at)))
  }
  return { items, tails }
}
