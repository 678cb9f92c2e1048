// Renders a prompt for OpenAI's Responses API. The head is one developer message, because `instructions` cannot carry a
// breakpoint. Only input text can carry one, so a mark after an answer or a call is left out.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import type { Message, Native, SentPart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { ruleFor } from "../cache/cache-rules.ts"
import { checkGiven } from "./check.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { asItCame, nativeOf, ownParts } from "./native.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  bareModel,
  cacheDiagnostics,
  isTail,
  type KeyedOptions,
  type Marks,
  marksOf,
  type PartMarks,
  type RenderOptions,
  sentParts,
  type ToolSchema,
  tailFormFor,
  toolsWriter,
  writtenParts,
} from "./renderer.ts"
import {
  addReasoning,
  addText,
  callItem,
  inputText,
  type OpenAIBreakpoint,
  openAIBreakpoint,
  type ResponsesItem,
  type ResponsesText,
  resultItem,
} from "./responses-items.ts"

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

/**
 * Writes the request for OpenAI's Responses API. Reasoning goes back to the API by its id. With `store: false` nothing is
 * found by an id, so also set `include: ["reasoning.encrypted_content"]`.
 */
export function renderResponses(
  prompt: Prompt,
  messages: readonly Message[],
  options: KeyedOptions,
): Rendered<ResponsesRequest> {
  checkGiven(prompt, messages, options)
  const { model, maxTokens, cacheKey } = options
  const { messages: own, diagnostics } = ownMessages(messages)
  const form = developerForm(prompt, options)
  const marks = marksOf(prompt, own, { ...options, form, mark: openAIBreakpoint })
  const tools = writeTools(prompt)
  const { items, tail } = writeConversation({
    ...{ prompt, messages: own, marks, form },
    lead: developer(prompt, marks),
  })
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
    diagnostics: [...diagnostics, ...cacheDiagnostics(options)],
  }
}

const ownMessages = ownParts("responses")

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

/** Claude models have their own rules for late system messages, which cannot be ensured through this protocol. */
export function developerForm(prompt: Prompt, options: RenderOptions): TailForm {
  const { lateSystem } = options.rule ?? ruleFor(options.model)
  return lateSystem === "allowed" ? tailFormFor(prompt, options) : "message"
}

const writeConversation = conversationWriter<ResponsesItem, OpenAIBreakpoint>(
  "/input",
  (message, marks, calls) =>
    message.role === "assistant" ? writeAnswer(message, marks, calls) : writeUser(message, marks, calls),
  (text, mark) => ({
    item: { role: "developer", content: [inputText(text, mark)] },
    pointer: "/content/0/text",
  }),
)

/** Each part is an item, except that the model's own messages and reasoning may have several parts. */
function writeAnswer(
  message: Message,
  marks: PartMarks<OpenAIBreakpoint>,
  calls: Message | undefined,
): WrittenMessage<ResponsesItem> {
  const items: ResponsesItem[] = []
  for (const [at, part] of writtenParts(message)) {
    if (part.kind === "reasoning") addReasoning(items, part)
    else if (part.kind === "text") addText(items, part)
    else if (part.kind === "tool-call") items.push(callItem(part))
    else if (part.kind === "tool-result") items.push(resultItem(part, marks(at), calls))
    else items.push(asItCame<ResponsesItem>(part))
  }
  return { items, tails: new Map() }
}

function writeUser(
  message: Message,
  marks: PartMarks<OpenAIBreakpoint>,
  calls: Message | undefined,
): WrittenMessage<ResponsesItem> {
  const items: ResponsesItem[] = []
  const tails = new Map<number, { item: number; pointer: string; offset: number }>()
  let texts: ResponsesText[] | undefined
  for (const [at, part] of sentParts(message)) {
    const single = singleItem(part, marks(at), calls)
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
    if (fields || part.kind === "tool-call" || part.kind === "tool-result") continue
    const pointer = `/content/${texts.length}/text`
    if (isTail(part)) tails.set(at, { item: items.length - 1, pointer, offset: 0 })
    if (part.kind === "native") texts.push(asItCame<ResponsesText>(part))
    else texts.push({ ...nativeOf(part, "responses"), ...inputText(part.text, marks(at)) })
  }
  return { items, tails }
}

/** A part that is an item of its own: a result, or what came from the API and is no block of a message. */
function singleItem(
  part: SentPart,
  mark: OpenAIBreakpoint | undefined,
  calls: Message | undefined,
): ResponsesItem | undefined {
  if (part.kind === "native")
    return part.fields || isBlock(part.value) ? undefined : asItCame<ResponsesItem>(part)
  if (part.kind === "tool-call") return callItem(part)
  return part.kind === "tool-result" ? resultItem(part, mark, calls) : undefined
}

/** Blocks of input have types such as `input_image`. */
function isBlock({ type }: Native["value"]): boolean {
  return typeof type === "string" && type.startsWith("input_")
}
