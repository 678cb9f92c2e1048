// Renders a prompt for the AI SDK (`ai` 7): the arguments of `generateText` and similar functions, apart from model and
// tools. Tools aren't rendered, because the SDK needs executable ones; `toolOrder` puts the host's tools into the
// plan's order. The SDK writes the request, so a `Place` points into the SDK's input.
import { wellFormed } from "../../base/text/well-formed.ts"
import { isSent, type Message, type MessagePart, type ProviderData } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { ruleFor } from "../cache/cache-rules.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { placesOf, type Rendered, type Spots } from "./place.ts"
import {
  callInput,
  isTail,
  joinHead,
  type KeyedOptions,
  type Marks,
  marksOf,
  NO_MARKS,
  type PartMarks,
  sentParts,
  tailFormFor,
  toolNameOf,
} from "./renderer.ts"

/** Options by provider, as the AI SDK passes them on. */
export type AiSdkProviderOptions = Record<string, Record<string, AiSdkJson>>
type AiSdkJson = null | string | number | boolean | { [key: string]: AiSdkJson | undefined } | AiSdkJson[]

/** A text in a message for the AI SDK. */
export interface AiSdkText {
  readonly type: "text"
  readonly text: string
  readonly providerOptions?: AiSdkProviderOptions
}

export interface AiSdkReasoning {
  readonly type: "reasoning"
  readonly text: string
  readonly providerOptions?: AiSdkProviderOptions
}

/** A tool call in a message for the AI SDK. */
export interface AiSdkCall {
  readonly type: "tool-call"
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerOptions?: AiSdkProviderOptions
}

/** A tool result in a message for the AI SDK. */
export interface AiSdkResult {
  readonly type: "tool-result"
  readonly toolCallId: string
  readonly toolName: string
  readonly output: { readonly type: "text" | "error-text"; readonly value: string }
  readonly providerOptions?: AiSdkProviderOptions
}

/** A message for the AI SDK. */
export type AiSdkMessage =
  | { readonly role: "user"; readonly content: AiSdkText[] }
  | { readonly role: "assistant"; readonly content: (AiSdkText | AiSdkReasoning | AiSdkCall)[] }
  | { readonly role: "tool"; readonly content: AiSdkResult[] }
  | AiSdkInstruction

/** A system message for the AI SDK. */
export interface AiSdkInstruction {
  readonly role: "system"
  readonly content: string
  readonly providerOptions?: AiSdkProviderOptions
}

/** What `generateText` and `streamText` of the AI SDK take. */
export interface AiSdkRequest {
  readonly instructions: AiSdkInstruction[]
  readonly messages: AiSdkMessage[]
  /** Set if a system message is among the messages: the SDK refuses it otherwise. */
  readonly allowSystemInMessages?: true
  readonly toolOrder: string[]
  readonly maxOutputTokens?: number
  readonly providerOptions?: AiSdkProviderOptions
}

/** How one of the SDK's providers handles instructions and options. */
interface Target {
  /** Whether every block can be a separate instruction; other providers refuse or misread a second one. */
  readonly blocks: boolean
  /** Whether it passes on a late system message; other providers throw, or send it to servers that refuse it. */
  readonly late?: true
  /** How to request a breakpoint, if that is possible. */
  readonly mark?: (ttl: string) => AiSdkProviderOptions
  /** How to pass the cache key, if there is one. */
  readonly key?: (cacheKey: string) => AiSdkProviderOptions
}

const BEDROCK: Target = {
  blocks: true,
  mark: (ttl) => ({ bedrock: { cachePoint: { type: "default", ...(ttl === "1h" && { ttl }) } } }),
}

/** By the first part of `provider/model`. A provider not listed here takes one instruction and no breakpoints. */
const TARGETS: Readonly<Record<string, Target>> = {
  anthropic: {
    blocks: true,
    late: true,
    mark: (ttl) => ({ anthropic: { cacheControl: { type: "ephemeral", ...(ttl === "1h" && { ttl }) } } }),
  },
  bedrock: BEDROCK,
  "amazon-bedrock": BEDROCK,
  openai: {
    blocks: true,
    late: true,
    mark: (ttl) => ({
      openai: { promptCacheBreakpoint: { mode: "explicit", ...(ttl === "12h" && { ttl }) } },
    }),
    key: (promptCacheKey) => ({ openai: { promptCacheKey } }),
  },
}

const COMPATIBLE: Target = { blocks: false }

/** Writes the request for the AI SDK, with the cache marks of the model's provider. */
export function renderAiSdk(
  prompt: Prompt,
  messages: readonly Message[],
  options: KeyedOptions,
): Rendered<AiSdkRequest> {
  const { model, maxTokens, cacheKey } = options
  const target = targetOf(model)
  const { mark } = target
  const form = target.late ? tailFormFor(prompt, options) : "message"
  const marks = mark ? marksOf(prompt, messages, { ...options, form, mark }) : NO_MARKS
  const { items, tail } = writeConversation({ prompt, messages, marks, form })
  const keyed = cacheKey === undefined ? undefined : target.key?.(cacheKey)
  return {
    request: wellFormed({
      instructions: target.blocks ? blocksOf(prompt, marks) : wholeOf(prompt),
      messages: items,
      ...(items.some(({ role }) => role === "system") && { allowSystemInMessages: true }),
      toolOrder: prompt.tools.map(({ name }) => name),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(keyed && { providerOptions: keyed }),
    }),
    places: placesOf(prompt, {
      head: headSpots(prompt, target),
      tail,
      tool: (index) => `/toolOrder/${index}`,
    }),
  }
}

/** A model without a provider belongs to the one of its cache rule. */
function targetOf(model: string): Target {
  const name = model.includes("/") ? model : ruleFor(model).id
  return TARGETS[name.slice(0, Math.max(0, name.indexOf("/")))] ?? COMPATIBLE
}

function blocksOf({ head }: Prompt, marks: Marks<AiSdkProviderOptions>): AiSdkInstruction[] {
  return head.map(({ text: content }, at) => ({
    role: "system",
    content,
    ...optionsOf(marks.head(at)),
  }))
}

function wholeOf(prompt: Prompt): AiSdkInstruction[] {
  const { text } = joinHead(prompt)
  return text === "" ? [] : [{ role: "system", content: text }]
}

function headSpots(prompt: Prompt, { blocks }: Target): Spots["head"] {
  if (blocks) return (block) => ({ pointer: `/instructions/${block}/content`, offset: 0 })
  const { offsets } = joinHead(prompt)
  return (block) => ({ pointer: "/instructions/0/content", offset: offsets[block] ?? 0 })
}

function optionsOf(providerOptions: AiSdkProviderOptions | undefined): Pick<AiSdkText, "providerOptions"> {
  return providerOptions ? { providerOptions } : {}
}

const writeConversation = conversationWriter<AiSdkMessage, AiSdkProviderOptions>(
  "/messages",
  (message, marks, calls) =>
    message.role === "assistant" ? writeAnswer(message, marks) : writeUser(message, marks, calls),
  (content, mark) => ({ item: { role: "system", content, ...optionsOf(mark) }, pointer: "/content" }),
)

function writeAnswer(message: Message, marks: PartMarks<AiSdkProviderOptions>): WrittenMessage<AiSdkMessage> {
  const content = [...message.parts.entries()].flatMap(
    ([at, part]): (AiSdkText | AiSdkReasoning | AiSdkCall)[] => {
      if (part.kind === "reasoning") return thought(part)
      if (!isSent(part) || part.kind === "tool-result") return []
      const options = optionsOf(joinedOptions(part.data, marks(at)))
      if (part.kind === "text") return [{ type: "text", text: part.text, ...options }]
      const { id: toolCallId, name: toolName } = part
      return [{ type: "tool-call", toolCallId, toolName, input: callInput(part), ...options }]
    },
  )
  return { items: content.length > 0 ? [{ role: "assistant", content }] : [], tails: new Map() }
}

/** Reasoning cannot be sent back without the data that its provider attached. */
function thought({ text, data }: Extract<MessagePart, { kind: "reasoning" }>): AiSdkReasoning[] {
  return data === undefined ? [] : [{ type: "reasoning", text, ...optionsOf(joinedOptions(data, undefined)) }]
}

function joinedOptions(
  data: ProviderData | undefined,
  mark: AiSdkProviderOptions | undefined,
): AiSdkProviderOptions | undefined {
  if (data === undefined) return mark
  // The data came from the SDK as JSON and goes back unchanged.
  const given = data as AiSdkProviderOptions
  if (mark === undefined) return given
  const names = new Set([...Object.keys(given), ...Object.keys(mark)])
  return Object.fromEntries([...names].map((name) => [name, { ...given[name], ...mark[name] }]))
}

/** Runs of results become tool messages, runs of text become user messages. */
function writeUser(
  message: Message,
  marks: PartMarks<AiSdkProviderOptions>,
  calls: Message | undefined,
): WrittenMessage<AiSdkMessage> {
  const items: AiSdkMessage[] = []
  const tails = new Map<number, { item: number; pointer: string; offset: number }>()
  for (const [at, part] of sentParts(message)) {
    const options = optionsOf(marks(at))
    const last = items.at(-1)
    if (part.kind === "tool-result") {
      const type = part.isError ? "error-text" : "text"
      const result: AiSdkResult = {
        type: "tool-result",
        toolCallId: part.id,
        toolName: toolNameOf(part.id, calls),
        output: { type, value: part.text },
        ...options,
      }
      if (last?.role === "tool") last.content.push(result)
      else items.push({ role: "tool", content: [result] })
    }
    if (part.kind !== "text") continue
    const text: AiSdkText = { type: "text", text: part.text, ...options }
    const content = last?.role === "user" ? last.content : []
    if (last?.role !== "user") items.push({ role: "user", content })
    content.push(text)
    const pointer = `/content/${content.length - 1}/text`
    if (isTail(part)) tails.set(at, { item: items.length - 1, pointer, offset: 0 })
  }
  return { items, tails }
}
