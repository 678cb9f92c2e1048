// Renders a prompt for OpenAI's Chat Completions API. The head is one developer message. Only text parts can carry
// breakpoints, so a mark after a call is left out. For other servers with this protocol, see text.ts.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, MessagePart, SentPart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { checkGiven } from "./check.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { asItCame, listSaying, nativeOf, ownParts } from "./native.ts"
import { developerForm } from "./openai-responses.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  argumentsOf,
  bareModel,
  cacheDiagnostics,
  isTail,
  type KeyedOptions,
  type Marks,
  marksOf,
  type PartMarks,
  sentParts,
  type ToolSchema,
  toolsWriter,
} from "./renderer.ts"
import { type OpenAIBreakpoint, openAIBreakpoint, withMark } from "./responses-items.ts"

/** A text in a message of the Chat Completions API. */
export interface ChatText {
  readonly type: "text"
  readonly text: string
  readonly prompt_cache_breakpoint?: OpenAIBreakpoint
}

/** A refusal that is part of the content. */
export interface ChatRefusal {
  readonly type: "refusal"
  readonly refusal: string
}

/** A call of a function in a message of the Chat Completions API. */
export interface ChatFunctionCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A tool call in a message of the Chat Completions API. */
export type ChatCall =
  | ChatFunctionCall
  | {
      readonly id: string
      readonly type: "custom"
      readonly custom: { readonly name: string; readonly input: string }
    }

/** A message of the Chat Completions API. */
export type ChatMessage =
  | { readonly role: "developer" | "user"; readonly content: ChatText[] }
  | {
      readonly role: "assistant"
      readonly content?: (ChatText | ChatRefusal)[]
      readonly refusal?: string
      readonly tool_calls?: ChatCall[]
    }
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
  checkGiven(prompt, messages, options)
  const { model, maxTokens, cacheKey } = options
  const { messages: own, diagnostics } = ownMessages(messages)
  const form = developerForm(prompt, options)
  const marks = marksOf(prompt, own, { ...options, form, mark: openAIBreakpoint })
  const tools = writeChatTools(prompt)
  const { items, tail } = writeConversation({
    ...{ prompt, messages: own, marks, form },
    lead: developer(prompt, marks),
  })
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
    diagnostics: [...diagnostics, ...cacheDiagnostics(options)],
  }
}

const ownMessages = ownParts("chat")

export const writeChatTools = toolsWriter(
  ({ name, description }, parameters): ChatTool => ({
    type: "function",
    function: { name, description, parameters },
  }),
)

function chatCall(part: Extract<MessagePart, { kind: "tool-call" }>): ChatCall {
  const { id, name, input } = part
  const { type, arguments: _text, ...rest } = nativeOf(part, "chat")
  if (type === "custom" && typeof input === "string")
    return { ...rest, id, type, custom: { name, input: input.toWellFormed() } }
  return { ...rest, id, type: "function", function: { name, arguments: argumentsOf(part, "chat") } }
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

/** The API refuses an answer with none of these, such as an empty one that still has a list of annotations. */
const SAYING = ["content", "refusal", "tool_calls", "function_call", "audio"]

/** Calls are a field next to the text, so one answer stays one message. */
function writeAnswer(message: Message, marks: PartMarks<OpenAIBreakpoint>): WrittenMessage<ChatMessage> {
  const content: (ChatText | ChatRefusal)[] = []
  const tool_calls: ChatCall[] = []
  let fields: object = {}
  for (const [at, part] of sentParts(message)) {
    if (part.kind === "tool-call") tool_calls.push(chatCall(part))
    else if (part.kind === "native" && part.fields) fields = { ...fields, ...part.value }
    else if (part.kind === "native") content.push(asItCame<ChatText>(part))
    else if (part.kind === "text") {
      const { refusal, ...rest } = nativeOf(part, "chat")
      if (refusal === "refusal") fields = { ...fields, refusal: part.text }
      else if (refusal === "content") content.push({ type: "refusal", refusal: part.text })
      else content.push({ ...rest, ...chatText(part.text, marks(at)) })
    }
  }
  const answer = {
    role: "assistant",
    ...fields,
    ...(content.length > 0 && { content }),
    ...(tool_calls.length > 0 && { tool_calls }),
  } as const
  return { items: SAYING.some((field) => field in answer) ? [answer] : [], tails: new Map() }
}

/** Each result is a separate message; text after them is the next one. */
function writeUser(message: Message, marks: PartMarks<OpenAIBreakpoint>): WrittenMessage<ChatMessage> {
  const items: ChatMessage[] = []
  const tails = new Map<number, { item: number; pointer: string; offset: number }>()
  let texts: ChatText[] | undefined
  for (const [at, part] of sentParts(message)) {
    if (part.kind === "tool-call") continue
    const single = singleItem(part, marks(at))
    if (single !== undefined) {
      texts = undefined
      items.push(single)
      continue
    }
    const fields = part.kind === "native" && part.fields ? part.value : undefined
    if (texts === undefined || fields) {
      texts = []
      items.push({ ...fields, role: "user", content: texts })
    }
    if (fields || part.kind === "tool-result") continue
    const pointer = `/content/${texts.length}/text`
    if (isTail(part)) tails.set(at, { item: items.length - 1, pointer, offset: 0 })
    if (part.kind === "native") texts.push(asItCame<ChatText>(part))
    else texts.push({ ...nativeOf(part, "chat"), ...chatText(part.text, marks(at)) })
  }
  return { items, tails }
}

/** A part that is a message of its own: a result, or instructions of the host. */
function singleItem(part: SentPart, mark: OpenAIBreakpoint | undefined): ChatMessage | undefined {
  if (part.kind === "native") return part.value.role === undefined ? undefined : asItCame<ChatMessage>(part)
  if (part.kind !== "tool-result") return undefined
  const { content: list, ...rest } = nativeOf(part, "chat")
  const kept = listSaying(part.text, list) as ChatText[] | undefined
  const plain = part.text === "" ? "" : [chatText(part.text, mark)]
  const content = kept === undefined ? plain : withMark(kept, mark)
  return { ...rest, role: "tool", tool_call_id: part.id, content }
}
