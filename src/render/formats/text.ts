// Renders a prompt for servers that take strings: Ollama, vLLM and others with OpenAI's chat protocol. They refuse a
// second system message and ignore or refuse cache fields, so there is one system message and no cache fields.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { LOCAL_SERVERS } from "../cache/cache-rules.ts"
import { checkGiven } from "./check.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { ownParts } from "./native.ts"
import { type ChatFunctionCall, type ChatTool, writeChatTools } from "./openai-chat.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  bareModel,
  callInput,
  joinHead,
  joinTexts,
  NO_MARKS,
  type RenderOptions,
  sentParts,
} from "./renderer.ts"

/** A plain message with one string. */
export type TextMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly tool_calls?: ChatFunctionCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }

/** What an OpenAI-compatible server such as Ollama takes. */
export interface TextRequest {
  readonly model: string
  readonly tools?: ChatTool[]
  readonly messages: TextMessage[]
  readonly max_tokens?: number
}

/** Server names that are stripped from a model's name. Others stay: `meta-llama/…` is part of the name. */
const SERVERS = [...LOCAL_SERVERS, "openai-compatible", "openrouter", "groq", "deepseek", "xai"]

/** Writes plain messages, for local servers and frameworks that take one system string. */
export function renderText(
  prompt: Prompt,
  messages: readonly Message[],
  options: RenderOptions,
): Rendered<TextRequest> {
  checkGiven(prompt, messages, options)
  const { model, maxTokens } = options
  const tools = writeChatTools(prompt)
  const { text: content, offsets } = joinHead(prompt)
  const lead: readonly TextMessage[] = content === "" ? [] : [{ role: "system", content }]
  const { messages: own, diagnostics } = ownMessages(messages)
  const { items, tail } = writeConversation({ prompt, messages: own, marks: NO_MARKS, lead })
  return {
    request: wellFormed({
      model: SERVERS.reduce((name, server) => (name === model ? bareModel(model, server) : name), model),
      ...(tools.length > 0 && { tools }),
      messages: items,
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    }),
    places: placesOf(prompt, {
      head: (block) => ({ pointer: "/messages/0/content", offset: offsets[block] ?? 0 }),
      tail,
      tool: (index) => `/tools/${index}/function/name`,
    }),
    diagnostics,
  }
}

const ownMessages = ownParts(undefined)

const writeConversation = conversationWriter<TextMessage, never>("/messages", (message) =>
  message.role === "assistant" ? writeAnswer(message) : writeUser(message),
)

function writeAnswer(message: Message): WrittenMessage<TextMessage> {
  const parts = sentParts(message)
  const texts = parts.flatMap(([at, part]) => (part.kind === "text" ? [[at, part.text] as const] : []))
  const tool_calls = parts.flatMap(([, part]) => (part.kind === "tool-call" ? [functionCall(part)] : []))
  const answer = {
    role: "assistant",
    content: joinTexts(texts).text,
    ...(tool_calls.length > 0 && { tool_calls }),
  } as const
  return { items: parts.length > 0 ? [answer] : [], tails: new Map() }
}

/** Always valid JSON and never a custom call: these servers parse the arguments again. */
function functionCall(part: Extract<MessagePart, { kind: "tool-call" }>): ChatFunctionCall {
  const { id, name } = part
  return { id, type: "function", function: { name, arguments: JSON.stringify(callInput(part)) } }
}

/** Each result is a separate message; all text of the message follows as one string. */
function writeUser(message: Message): WrittenMessage<TextMessage> {
  const parts = sentParts(message)
  const items: TextMessage[] = parts.flatMap(([, part]) =>
    part.kind === "tool-result" ? [{ role: "tool", tool_call_id: part.id, content: part.text }] : [],
  )
  const texts = parts.flatMap(([at, part]) => (part.kind === "text" ? [[at, part.text] as const] : []))
  const { text, offsets } = joinTexts(texts)
  if (text !== "") items.push({ role: "user", content: text })
  const item = items.length - 1
  return {
    items,
    tails: new Map([...offsets].map(([at, offset]) => [at, { item, pointer: "/content", offset }])),
  }
}
