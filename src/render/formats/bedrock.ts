// Renders a prompt for Amazon Bedrock's Converse API. A breakpoint is a separate `cachePoint` after a block or part.
// The host signs and sends the request.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { fromBase64, revivedBytes } from "./bytes.ts"
import { checkGiven } from "./check.ts"
import { conversationWriter } from "./conversation.ts"
import { listSaying, nativeOf, ownParts } from "./native.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  bareModel,
  cacheDiagnostics,
  callInput,
  isTail,
  type Marks,
  marksOf,
  type RenderOptions,
  resultValue,
  type ToolSchema,
  toolsWriter,
  writtenParts,
} from "./renderer.ts"

/** Bedrock's mark that the prefix up to here is cached. */
export interface BedrockCachePoint {
  readonly cachePoint: { readonly type: "default"; readonly ttl?: "5m" | "1h" }
}

/** A text block for Bedrock. */
export interface BedrockText {
  readonly text: string
}

/** The model's reasoning for Bedrock. Claude refuses to go on after a tool call without it. */
export type BedrockReasoning =
  | { readonly reasoningText: { readonly text: string; readonly signature?: string } }
  | { readonly redactedContent: string | Uint8Array }

/** A content block of a message for Bedrock. */
export type BedrockContent =
  | BedrockText
  | BedrockCachePoint
  | { readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: unknown } }
  | {
      readonly toolResult: {
        readonly toolUseId: string
        readonly content: BedrockText[]
        readonly status?: "error"
      }
    }
  | { readonly reasoningContent: BedrockReasoning }
  | { readonly citationsContent: { readonly content: BedrockText[] } }

/** A message for Bedrock. */
export interface BedrockMessage {
  readonly role: "user" | "assistant"
  readonly content: BedrockContent[]
}

/** A tool definition for Bedrock. */
export interface BedrockTool {
  readonly toolSpec: {
    readonly name: string
    readonly description?: string
    readonly inputSchema: { readonly json: ToolSchema }
  }
}

/** What the Converse command of Amazon Bedrock takes. */
export interface BedrockRequest {
  readonly modelId: string
  readonly system?: (BedrockText | BedrockCachePoint)[]
  readonly messages: BedrockMessage[]
  readonly toolConfig?: { readonly tools: BedrockTool[] }
  readonly inferenceConfig?: { readonly maxTokens: number }
}

/** Writes the request for Amazon Bedrock's Converse API. */
export function renderBedrock(
  prompt: Prompt,
  messages: readonly Message[],
  options: RenderOptions,
): Rendered<BedrockRequest> {
  checkGiven(prompt, messages, options)
  const { maxTokens } = options
  const model = bareModel(bareModel(options.model, "amazon-bedrock"), "bedrock")
  const { messages: own, diagnostics } = ownMessages(messages)
  const marks = marksOf(prompt, own, {
    ...options,
    model: `bedrock/${model}`,
    mark: cachePoint,
  })
  const tools = writeTools(prompt)
  const { system, at } = renderSystem(prompt, marks)
  const { items, tail } = writeConversation({ prompt, messages: own, marks })
  return {
    request: wellFormed({
      modelId: model,
      ...(system.length > 0 && { system }),
      messages: items,
      ...(tools.length > 0 && { toolConfig: { tools } }),
      ...(maxTokens !== undefined && { inferenceConfig: { maxTokens } }),
    }),
    places: placesOf(prompt, {
      head: (block) => ({ pointer: `/system/${at[block]}/text`, offset: 0 }),
      tail,
      tool: (index) => `/toolConfig/tools/${index}/toolSpec/name`,
    }),
    diagnostics: [...diagnostics, ...cacheDiagnostics(options, `bedrock/${model}`)],
  }
}

const ownMessages = ownParts("bedrock")

/** The API refuses an empty description. */
const writeTools = toolsWriter(
  ({ name, description }, json): BedrockTool => ({
    toolSpec: { name, ...(description !== "" && { description }), inputSchema: { json } },
  }),
)

/** `at`: the index of each block in `system`, because cache points come between them. */
function renderSystem(
  { head }: Prompt,
  marks: Marks<BedrockCachePoint>,
): { readonly system: (BedrockText | BedrockCachePoint)[]; readonly at: readonly number[] } {
  const system: (BedrockText | BedrockCachePoint)[] = []
  const at = head.map(({ text }, block) => {
    const mark = marks.head(block)
    const place = system.push({ text }) - 1
    if (mark) system.push(mark)
    return place
  })
  return { system, at }
}

/** Five minutes is the API's default, so it is omitted. */
function cachePoint(ttl: string): BedrockCachePoint {
  return { cachePoint: ttl === "1h" ? { type: "default", ttl } : { type: "default" } }
}

const writeConversation = conversationWriter<BedrockMessage, BedrockCachePoint>(
  "/messages",
  (message, marks) => {
    const content: BedrockContent[] = []
    const tails = new Map<number, { item: number; pointer: string; offset: number }>()
    for (const [at, part] of writtenParts(message)) {
      const block = renderPart(part)
      if (block === undefined) continue
      if (isTail(part)) tails.set(at, { item: 0, pointer: `/content/${content.length}/text`, offset: 0 })
      content.push(block)
      const mark = marks(at)
      if (mark) content.push(mark)
    }
    return { items: content.length > 0 ? [{ role: message.role, content }] : [], tails }
  },
)

/** Returns undefined for reasoning of another provider. */
function renderPart(part: MessagePart): BedrockContent | undefined {
  // Like `asItCame`, but stored bytes are base64.
  if (part.kind === "native") return revivedBytes(part.value) as BedrockContent
  if (part.kind === "reasoning") return reasoningBlock(part)
  const { cited, content: list, json, ...rest } = nativeOf(part, "bedrock")
  if (part.kind === "text") return cited === undefined ? { text: part.text } : citedBlock(part.text, cited)
  if (part.kind === "tool-call")
    return { toolUse: { ...rest, toolUseId: part.id, name: part.name, input: callInput(part) } }
  // The API refuses text without a visible character in results too.
  const plain = part.text.trim() === "" ? [] : [{ text: part.text }]
  const value = json === true ? [{ json: resultValue(part) }] : plain
  // Lists and values came from the API too.
  const content = (revivedBytes(listSaying(part.text, list)) ?? value) as BedrockText[]
  return { toolResult: { ...rest, toolUseId: part.id, content, ...(part.isError && { status: "error" }) } }
}

function citedBlock(text: string, cited: unknown): BedrockContent {
  return { citationsContent: { content: [{ text }], ...Object(cited) } }
}

function reasoningBlock(part: Extract<MessagePart, { kind: "reasoning" }>): BedrockContent | undefined {
  const { signature, redactedData } = part.data?.bedrock ?? {}
  if (typeof redactedData === "string") {
    const isBytes = nativeOf(part, "bedrock").bytes === true
    return { reasoningContent: { redactedContent: isBytes ? fromBase64(redactedData) : redactedData } }
  }
  if (typeof signature === "string")
    return { reasoningContent: { reasoningText: { text: part.text, signature } } }
  // Models without signatures think in plain text.
  return part.native?.format === "bedrock"
    ? { reasoningContent: { reasoningText: { text: part.text } } }
    : undefined
}
