// The items of OpenAI's Responses API that parts of a conversation become. What was read from the API keeps its ids and
// fields: with them, the API finds the reasoning that belongs to a call.
import type { Message, MessagePart } from "../../core/model/message.ts"
import { listSaying, nativeOf } from "./native.ts"
import { argumentsOf } from "./renderer.ts"

/** OpenAI's mark that the prefix up to here is cached. */
export interface OpenAIBreakpoint {
  readonly mode: "explicit"
  readonly ttl?: "30m" | "12h"
}

/** A text in an input item of the Responses API. */
export interface ResponsesText {
  readonly type: "input_text"
  readonly text: string
  readonly prompt_cache_breakpoint?: OpenAIBreakpoint
}

/** An input item of the Responses API. */
export type ResponsesItem =
  | { readonly role: "developer" | "user"; readonly content: ResponsesText[] }
  | { readonly role: "assistant"; readonly content: string }
  | ResponsesAnswer
  | ResponsesReasoning
  | {
      readonly type: "function_call"
      readonly id?: string
      readonly call_id: string
      readonly name: string
      readonly arguments: string
    }
  | {
      readonly type: "custom_tool_call"
      readonly id?: string
      readonly call_id: string
      readonly name: string
      readonly input: string
    }
  | {
      readonly type: "function_call_output" | "custom_tool_call_output"
      readonly call_id: string
      readonly output: ResponsesText[] | ""
    }

/** A message of the model as the API returned it. */
export interface ResponsesAnswer {
  readonly type: "message"
  readonly id: string
  readonly role: "assistant"
  readonly status: "in_progress" | "completed" | "incomplete"
  readonly content: (
    | { readonly type: "output_text"; readonly text: string; readonly annotations: never[] }
    | { readonly type: "refusal"; readonly refusal: string }
  )[]
}

/** The model's reasoning. Without it, a reasoning model starts to think anew at every step. */
export interface ResponsesReasoning {
  readonly type: "reasoning"
  readonly id: string
  readonly summary: { readonly type: "summary_text"; readonly text: string }[]
  readonly encrypted_content?: string
}

/** Thirty minutes is the API's default, so it is omitted. */
export function openAIBreakpoint(ttl: string): OpenAIBreakpoint {
  return ttl === "12h" ? { mode: "explicit", ttl } : { mode: "explicit" }
}

export function inputText(text: string, mark: OpenAIBreakpoint | undefined): ResponsesText {
  return mark ? { type: "input_text", text, prompt_cache_breakpoint: mark } : { type: "input_text", text }
}

/** Blocks of a kept list, with the breakpoint on the last text. */
export function withMark<T extends object>(list: readonly T[], mark: OpenAIBreakpoint | undefined): T[] {
  const last = mark === undefined ? -1 : list.findLastIndex((block) => "text" in block)
  return list.map((block, at) => (at === last ? { ...block, prompt_cache_breakpoint: mark } : block))
}

type TextPart = Extract<MessagePart, { kind: "text" }>
type ReasoningPart = Extract<MessagePart, { kind: "reasoning" }>
type CallPart = Extract<MessagePart, { kind: "tool-call" }>
type ResultPart = Extract<MessagePart, { kind: "tool-result" }>

function itemId({ data }: TextPart | ReasoningPart | CallPart): { readonly id?: string } {
  const id = data?.openai?.itemId
  return typeof id === "string" ? { id } : {}
}

/** Text of the model's own message goes back as a block of it; other text is a message by itself. */
export function addText(items: ResponsesItem[], part: TextPart): void {
  const { message, at = 0, block } = nativeOf(part, "responses")
  const ids = itemId(part)
  if (block === undefined && ids.id === undefined) {
    items.push({ ...(message as object | undefined), role: "assistant", content: part.text })
    return
  }
  const written = answerBlock(part.text, block)
  const last = items.at(-1)
  if (at !== 0 && last !== undefined && isAnswer(last) && last.id === ids.id && last.content.length === at) {
    last.content.push(written)
    return
  }
  const fields = { status: "completed", ...(message as object | undefined) } as const
  // A message whose id the caller removed stays without one.
  items.push({ type: "message", ...ids, role: "assistant", ...fields, content: [written] } as ResponsesAnswer)
}

function isAnswer(item: ResponsesItem): item is ResponsesAnswer {
  return "type" in item && item.type === "message"
}

function answerBlock(text: string, block: unknown): ResponsesAnswer["content"][number] {
  const fields: object = block ?? {}
  if ("type" in fields && fields.type === "refusal") return { ...fields, type: "refusal", refusal: text }
  return { annotations: [], ...fields, type: "output_text", text }
}

/**
 * Reasoning goes back with its id and its encrypted text, else the model starts to think anew at every step. Parts with
 * the same id are the summaries of one item. Reasoning of another provider is left out.
 */
export function addReasoning(items: ResponsesItem[], part: ReasoningPart): void {
  const ids = itemId(part)
  const encrypted = part.data?.openai?.reasoningEncryptedContent
  if (ids.id === undefined && typeof encrypted !== "string") return
  const summary = part.text === "" ? [] : [{ type: "summary_text" as const, text: part.text }]
  const last = items.at(-1)
  if (last !== undefined && isReasoning(last) && ids.id !== undefined && last.id === ids.id) {
    last.summary.push(...summary)
    return
  }
  // An item whose id the caller removed stays without one.
  items.push({
    type: "reasoning",
    ...ids,
    ...nativeOf(part, "responses"),
    summary,
    ...(typeof encrypted === "string" && { encrypted_content: encrypted }),
  } as ResponsesReasoning)
}

function isReasoning(item: ResponsesItem): item is ResponsesReasoning {
  return "type" in item && item.type === "reasoning"
}

export function callItem(part: CallPart): ResponsesItem {
  const { id: call_id, name, input } = part
  const { type, arguments: _text, ...rest } = nativeOf(part, "responses")
  if (type === "custom_tool_call" && typeof input === "string")
    return { type, ...itemId(part), ...rest, call_id, name, input: input.toWellFormed() }
  const written = argumentsOf(part, "responses")
  return { type: "function_call", ...itemId(part), ...rest, call_id, name, arguments: written }
}

/** A result is a list even without a breakpoint, so that its form doesn't change when the breakpoint moves on. */
export function resultItem(
  part: ResultPart,
  mark: OpenAIBreakpoint | undefined,
  calls: Message | undefined,
): ResponsesItem {
  const { type, output: list, ...rest } = nativeOf(part, "responses")
  const isCustom = type === "custom_tool_call_output" || isCustomCall(part.id, calls)
  const kept = listSaying(part.text, list) as ResponsesText[] | undefined
  const plain = part.text === "" ? "" : [inputText(part.text, mark)]
  return {
    type: isCustom ? "custom_tool_call_output" : "function_call_output",
    ...rest,
    call_id: part.id,
    output: kept === undefined ? plain : withMark(kept, mark),
  }
}

/** A result that the host wrote doesn't say which kind of call it answers. */
function isCustomCall(id: string, calls: Message | undefined): boolean {
  const call = calls?.parts.find((part) => part.kind === "tool-call" && part.id === id)
  return call?.kind === "tool-call" && nativeOf(call, "responses").type === "custom_tool_call"
}
