// Renders a prompt for the AI SDK (`ai` 7): the arguments of `generateText` and similar functions, apart from model and
// tools. Tools aren't rendered, because the SDK needs executable ones; `toolOrder` puts the host's tools into the
// plan's order. The SDK writes the request, so a `Place` points into the SDK's input.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, MessagePart, ProviderData, SentPart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { ruleFor } from "../cache/cache-rules.ts"
import { outputText } from "../from/from-ai-sdk.ts"
import { checkGiven } from "./check.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { asItCame, nativeOf, ownParts } from "./native.ts"
import { placesOf, type Rendered, type Spots } from "./place.ts"
import {
  cacheDiagnostics,
  callInput,
  isTail,
  joinHead,
  type KeyedOptions,
  type Marks,
  marksOf,
  NO_MARKS,
  type PartMarks,
  resultValue,
  sentParts,
  tailFormFor,
  toolNameOf,
  writtenParts,
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

/** The reasoning of a model in a message for the AI SDK. */
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
  readonly output:
    | { readonly type: "text" | "error-text"; readonly value: string }
    | { readonly type: "json" | "error-json"; readonly value: AiSdkJson }
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
export interface AiSdkTarget {
  /** Whether every block can be a separate instruction; other providers refuse or misread a second one. */
  readonly blocks: boolean
  /** Whether it passes on a late system message; other providers throw, or send it to servers that refuse it. */
  readonly late?: true
  /** How to request a breakpoint, if that is possible. */
  readonly mark?: (ttl: string) => AiSdkProviderOptions
  /** How to pass the cache key, if there is one. */
  readonly key?: (cacheKey: string) => AiSdkProviderOptions
}

const BEDROCK: AiSdkTarget = {
  blocks: true,
  mark: (ttl) => ({ bedrock: { cachePoint: { type: "default", ...(ttl === "1h" && { ttl }) } } }),
}

/** By the first part of `provider/model`. A provider not listed here takes one instruction and no breakpoints. */
const TARGETS: Readonly<Record<string, AiSdkTarget>> = {
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

const COMPATIBLE: AiSdkTarget = { blocks: false }

/** Writes the request for the AI SDK, with the cache marks of the model's provider. */
export function renderAiSdk(
  prompt: Prompt,
  messages: readonly Message[],
  options: KeyedOptions,
): Rendered<AiSdkRequest> {
  checkGiven(prompt, messages, options)
  const { model, maxTokens, cacheKey } = options
  const { messages: own, diagnostics } = ownMessages(messages)
  const target = aiSdkTarget(model)
  const { mark } = target
  const form = target.late ? tailFormFor(prompt, options) : "message"
  const marks = mark ? marksOf(prompt, own, { ...options, form, mark }) : NO_MARKS
  const { items, tail } = writeConversation({ prompt, messages: own, marks, form })
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
    diagnostics: [...diagnostics, ...cacheDiagnostics(options)],
  }
}

const ownMessages = ownParts("ai-sdk")

/** A model without a provider belongs to the one of its cache rule. */
export function aiSdkTarget(model: string): AiSdkTarget {
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

function headSpots(prompt: Prompt, { blocks }: AiSdkTarget): Spots["head"] {
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
  let fields: object = {}
  const content = writtenParts(message).flatMap(([at, part]): (AiSdkText | AiSdkReasoning | AiSdkCall)[] => {
    if (part.kind === "reasoning") return thought(part)
    if (part.kind === "tool-result") return []
    if (part.kind === "native") {
      if (part.fields) fields = { ...fields, ...part.value }
      return part.fields ? [] : [asItCame<AiSdkText>(part)]
    }
    const options = optionsOf(joinedOptions(part.data, marks(at)))
    if (part.kind === "text") return [{ type: "text", text: part.text, ...options }]
    const { id: toolCallId, name: toolName } = part
    return [{ type: "tool-call", toolCallId, toolName, input: callInput(part), ...options }]
  })
  return { items: content.length > 0 ? [{ role: "assistant", content, ...fields }] : [], tails: new Map() }
}

/** Reasoning goes back with the data that its provider attached. Without any, only the SDK's own can be sent. */
function thought(part: Extract<MessagePart, { kind: "reasoning" }>): AiSdkReasoning[] {
  const { text, data, native } = part
  if (data === undefined && native?.format !== "ai-sdk") return []
  return [{ type: "reasoning", text, ...optionsOf(joinedOptions(data, undefined)) }]
}

export function joinedOptions(
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
  let fields: object | undefined
  const put = (role: "tool" | "user", block: AiSdkResult | AiSdkText): number => {
    const last = items.at(-1)
    const isOpen = fields === undefined && last?.role === role
    // Each role has blocks of its own type, which the caller passes.
    const content = (isOpen ? last.content : []) as (AiSdkResult | AiSdkText)[]
    if (!isOpen) items.push({ role, content, ...fields } as AiSdkMessage)
    fields = undefined
    return content.push(block) - 1
  }
  for (const [at, part] of sentParts(message)) {
    if (part.kind === "tool-result") put("tool", resultOf(part, marks(at), calls))
    if (part.kind === "text") {
      const index = put("user", {
        type: "text",
        text: part.text,
        ...optionsOf(joinedOptions(part.data, marks(at))),
      })
      const pointer = `/content/${index}/text`
      if (isTail(part)) tails.set(at, { item: items.length - 1, pointer, offset: 0 })
    }
    if (part.kind !== "native") continue
    if (part.fields) fields = part.value
    else if (part.value.role !== undefined) items.push(asItCame<AiSdkMessage>(part))
    else put(nativeRole(part), asItCame<AiSdkText>(part))
  }
  return { items, tails }
}

/** Answers to the SDK's questions for approval are in tool messages, and files in the user's. */
function nativeRole({ value }: Extract<SentPart, { kind: "native" }>): "tool" | "user" {
  return typeof value.type === "string" && value.type.startsWith("tool-") ? "tool" : "user"
}

function resultOf(
  part: Extract<MessagePart, { kind: "tool-result" }>,
  mark: AiSdkProviderOptions | undefined,
  calls: Message | undefined,
): AiSdkResult {
  const { name, output } = nativeOf(part, "ai-sdk")
  return {
    type: "tool-result",
    toolCallId: part.id,
    toolName: typeof name === "string" ? name : toolNameOf(part.id, calls),
    output: keptOutput(output, part.text) ?? plainOutput(part),
    ...optionsOf(joinedOptions(part.data, mark)),
  }
}

/** What the result was read from, unless its text was cut or redacted since. */
function keptOutput(output: unknown, text: string): AiSdkResult["output"] | undefined {
  if (typeof output !== "object" || output === null) return undefined
  const isSame = outputText(output as Readonly<Record<string, unknown>>) === text
  return isSame ? (output as AiSdkResult["output"]) : undefined
}

function plainOutput(part: Extract<MessagePart, { kind: "tool-result" }>): AiSdkResult["output"] {
  const value = resultValue(part)
  if (part.json && value !== part.text)
    // Parsed JSON is JSON.
    return { type: part.isError ? "error-json" : "json", value: value as AiSdkJson }
  return { type: part.isError ? "error-text" : "text", value: part.text }
}
